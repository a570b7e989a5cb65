import {
  closeSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { basename, join } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "./file-problem.js";
import { makeFolder } from "./make-folder.js";
import { openRegularFile } from "./read-regular-file.js";

/** Copies the files that exist into a new folder below `parent`, which is removed after `work`. */
export async function withPrivateCopy<Result>(
  paths: readonly string[],
  parent: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  makeFolder(parent, 0o700);
  const folder = withFileErrors(parent, () => mkdtempSync(join(parent, "copy-")));
  try {
    for (const path of paths) if (existsSync(path)) copyRegularFile(path, join(folder, basename(path)));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies a regular file, never a link's target, readable by the user alone. */
function copyRegularFile(from: string, to: string): void {
  withFileErrors(from, () => {
    if (lstatSync(from).isSymbolicLink()) throw new RalphError("file-unusable", `${from} is a link`);
    const source = openRegularFile(from);
    try {
      const target = openSync(to, "wx", 0o600);
      try {
        const part = Buffer.alloc(1024 * 1024);
        for (let length = readSync(source, part); length > 0; length = readSync(source, part))
          for (let at = 0; at < length; ) at += writeSync(target, part, at, length - at);
      } finally {
        closeSync(target);
      }
    } finally {
      closeSync(source);
    }
  });
}
