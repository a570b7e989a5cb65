import { dirname, join } from "node:path";
import { maxFolderEntries, namesIn } from "../files/names-in.js";
import { unique } from "../text/unique.js";

export const folderName = "sessions";

/** The files of sessions that are not finished. */
export function listSessionFiles(storeDirectory: string): string[] {
  const folder = join(storeDirectory, folderName);
  return namesIn(folder)
    .filter((name) => name.endsWith(".json"))
    .slice(0, maxFolderEntries)
    .map((name) => join(folder, name));
}

/** Where actions of a session wait to be recorded: a file beside its own, and what was made of that name to read it. */
export function lateFileOf(sessionFile: string): string {
  return `${sessionFile}l`;
}

/** The files of sessions of which actions wait. The folder is not listed once for each of its sessions: there may be many. */
export function listWaitingSessions(storeDirectory: string): string[] {
  const folder = join(storeDirectory, folderName);
  const names = new Set(namesIn(folder));
  const late = lateFileOf(".json");
  const waiting = [...names].filter((name) => name.includes(late));
  const sessions = waiting.map((name) => name.slice(0, name.indexOf(late) + ".json".length));
  return unique(sessions)
    .slice(0, maxFolderEntries)
    .filter((name) => names.has(name))
    .map((name) => join(folder, name));
}

/** Those that there are; some of them may be of processes that were killed. */
export function listLateFiles(sessionFile: string): string[] {
  const folder = dirname(sessionFile);
  return namesIn(folder)
    .map((name) => join(folder, name))
    .filter((path) => path.startsWith(lateFileOf(sessionFile)));
}
