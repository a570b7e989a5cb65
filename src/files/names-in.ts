import { readdirSync } from "node:fs";
import { isSystemError } from "../domain/ralph-error.js";
import { fileProblem } from "./file-problem.js";

/** The most skills or sessions that are read. */
export const maxFolderEntries = 1000;

/** The names in a folder; empty if there is no such folder. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return [];
    throw fileProblem(folder, error);
  }
}
