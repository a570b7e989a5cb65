import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";
import { makeFolder } from "./make-folder.js";

/** Creates a directory that only its owner can enter and that git ignores. */
export function makePrivateDirectory(path: string): void {
  makeFolder(path, 0o700);
  createIfMissing(join(path, ".gitignore"), "*\n");
}

/** Adds a `.gitignore` to a directory, unless it has one. */
export function ignoreInGit(directory: string, patterns: readonly string[]): void {
  createIfMissing(join(directory, ".gitignore"), patterns.map((pattern) => `${pattern}\n`).join(""));
}

/** Creates an empty file that only its owner can read, unless it exists. */
export function makePrivateFile(path: string): void {
  createIfMissing(path, "", 0o600);
}

function createIfMissing(path: string, content: string, mode = 0o644): void {
  withFileErrors(path, () => {
    let file: number;
    try {
      file = openSync(path, "wx", mode);
    } catch (error) {
      if (isSystemError(error, "EEXIST")) return;
      throw error;
    }
    try {
      writeFileSync(file, content);
    } finally {
      closeSync(file);
    }
  });
}
