import { dirname, resolve } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { findStats } from "../../files/find-stats.js";

/** The path of a file that is to be written. A folder that does not exist is more likely mistyped than wanted. */
export function targetFile(file: string): string {
  const path = resolve(file);
  const folder = dirname(path);
  if (findStats(path)?.isDirectory() === true)
    throw new RalphError("file-unusable", `${file} is a folder`, { hint: "name a file in it" });
  if (findStats(folder)?.isDirectory() === true) return path;
  throw new RalphError("not-found", `Folder not found: ${folder}`, { hint: "create it, or choose another" });
}
