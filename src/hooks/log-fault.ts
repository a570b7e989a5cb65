import { join } from "node:path";
import { appendToLog } from "../files/append-to-log.js";
import { workingFolder } from "./working-folder.js";

/** Writes to the log of the memory, if that is known, else to that of the folder which the hook was started in. */
export function logFault(text: string, storeDirectory?: string): void {
  const folder = workingFolder();
  const directory = storeDirectory ?? (folder && join(folder, ".ralph"));
  if (directory !== undefined) appendToLog(directory, text);
}
