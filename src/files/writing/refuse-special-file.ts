import { statSync } from "node:fs";
import { RalphError } from "../../domain/ralph-error.js";

/** A device or a pipe would not be written to, but replaced. Of a folder the system tells by itself. */
export function refuseSpecialFile(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return;
  throw new RalphError("file-unusable", `${path} is not a plain file`, { hint: "name another file" });
}
