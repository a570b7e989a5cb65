import { dirname, join } from "node:path";
import { namesIn } from "../files/names-in.js";

export const folderName = "sessions";

/** The files of sessions that are not finished. */
export function listSessionFiles(storeDirectory: string): string[] {
  const folder = join(storeDirectory, folderName);
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name));
}

/** Where actions of a session wait to be recorded: a file beside its own, and what was made of that name to read it. */
export function lateFileOf(sessionFile: string): string {
  return `${sessionFile}l`;
}

/** Those that there are; some of them may be of processes that were killed. */
export function listLateFiles(sessionFile: string): string[] {
  const folder = dirname(sessionFile);
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => path.startsWith(lateFileOf(sessionFile)));
}
