import { join, relative } from "node:path";
import { isInside } from "../../files/path-inside.js";
import type { Places } from "../agents/agent-setup.js";

/** A path as people write it: from the project's folder, or from their home. */
export function shortPath(path: string, { root, home }: Pick<Places, "root" | "home">): string {
  if (isInside(root, path)) return relative(root, path);
  return isInside(home, path) ? join("~", relative(home, path)) : path;
}
