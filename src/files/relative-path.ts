import { isAbsolute, relative, sep } from "node:path";
import { isInside } from "./path-inside.js";

/** A path relative to the project's root, with slashes on every system; paths outside it stay as they are. */
export function relativePath(root: string, path: string, system = { isAbsolute, relative, sep }): string {
  if (!system.isAbsolute(path)) return path.replaceAll(system.sep, "/").replace(/^\.\//, "");
  const inner = system.relative(root, path);
  const isOutside = inner === "" || !isInside(root, path, system);
  return isOutside ? path : inner.replaceAll(system.sep, "/");
}
