import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";
import { makeFolder } from "./make-folder.js";

/** Makes a directory that only its owner can enter and that git ignores as a whole. */
export function makePrivateDirectory(path: string): void {
  makeFolder(path, 0o700);
  createOnce(join(path, ".gitignore"), "*\n");
}

/** Keeps files of a directory out of git, unless somebody says there already what git ignores. */
export function ignoreInGit(directory: string, patterns: readonly string[]): void {
  createOnce(join(directory, ".gitignore"), patterns.map((pattern) => `${pattern}\n`).join(""));
}

/** Makes an empty file that only its owner can read, unless it exists. */
export function makePrivateFile(path: string): void {
  createOnce(path, "", 0o600);
}

function createOnce(path: string, content: string, mode = 0o644): void {
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
