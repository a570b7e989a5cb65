import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { absentStamp, stampFile } from "../files/file-stamp.js";
import { readFileSnapshot } from "../files/read-file.js";
import { writeAtomically } from "../files/writing/write-atomically.js";

/** Files below a folder, by their paths in it. */
export interface PlainFiles {
  files: string[];
  /** Links, pipes and the like, which are not followed. */
  skipped: string[];
}

const maxFiles = 200;
const maxBytes = 10 * 1024 * 1024;
const maxDepth = 5;

/** The plain files of a skill's folder; throws when there are more than a skill should have. */
export function listPlainFiles(folder: string): PlainFiles {
  const files: string[] = [];
  const skipped: string[] = [];
  let bytes = 0;
  const visit = (below: string, depth: number) => {
    const at = join(folder, below);
    for (const entry of withFileErrors(at, () => readdirSync(at, { withFileTypes: true }))) {
      const path = join(below, entry.name);
      if (entry.isDirectory() && entry.name !== ".git" && depth < maxDepth) visit(path, depth + 1);
      else if (entry.isFile()) {
        files.push(path);
        bytes += statSync(join(folder, path)).size;
      } else skipped.push(path);
      if (files.length > maxFiles || bytes > maxBytes) throw tooMuch(folder);
    }
  };
  visit("", 1);
  return { files: files.sort(), skipped: skipped.sort() };
}

function tooMuch(folder: string): RalphError {
  return new RalphError("file-unusable", `More than ${maxFiles} files or 10 MB in ${folder}`, {
    hint: "a skill's folder holds its SKILL.md and a few files that it needs",
  });
}

/** Copies one file with its bytes and whether it can be run. */
export function copyPlainFile(from: string, to: string): void {
  const { bytes } = readFileSnapshot(from);
  if (bytes === undefined) throw new RalphError("not-found", `The file has gone: ${from}`);
  writeBytes(to, bytes);
  if ((statSync(from).mode & 0o111) !== 0) chmodSync(to, 0o755);
}

export function writeBytes(path: string, bytes: Uint8Array): void {
  const written = writeAtomically(path, [bytes], stampFile(path));
  if (written.kind === "changed-meanwhile") {
    throw new RalphError("file-unusable", `Somebody else is writing ${path}`, { hint: "try again" });
  }
  written.commit();
}

/** Writes a file unless there is one; false when there is. */
export function writeNewFile(path: string, text: string): boolean {
  const written = writeAtomically(path, [Buffer.from(text)], absentStamp);
  if (written.kind === "written") written.commit();
  return written.kind === "written";
}
