import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { absentStamp } from "../files/file-stamp.js";
import { readFileSnapshot } from "../files/read-file.js";
import { replaceFile, replaceIfUnchanged } from "../files/replace-file.js";
import type { SecretKind } from "../text/secrets/mark.js";
import { redact } from "../text/secrets/redact.js";

/** Files of a folder, as paths relative to it. */
export interface PlainFiles {
  files: string[];
  /** Links, pipes and other special files. */
  skipped: string[];
}

const maxFiles = 200;
const maxBytes = 10 * 1024 * 1024;
const maxDepth = 5;

/** The regular files of a skill folder; throws when it is larger than a skill should be. */
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
      if (files.length > maxFiles || bytes > maxBytes) throw tooLarge(folder);
    }
  };
  visit("", 1);
  return { files: files.sort(), skipped: skipped.sort() };
}

function tooLarge(folder: string): RalphError {
  return new RalphError("file-unusable", `More than ${maxFiles} files or 10 MB in ${folder}`, {
    hint: "a skill folder has a SKILL.md and the few files it needs",
  });
}

/** Copies a file and its executable bit; returns the kinds of secrets that were replaced in the copy of a text. */
export function copyPlainFile(from: string, to: string): SecretKind[] {
  const { bytes } = readFileSnapshot(from);
  if (bytes === undefined) throw new RalphError("not-found", `The file no longer exists: ${from}`);
  const text = bytes.toString("utf8");
  const isText = !text.includes("\0") && Buffer.from(text).equals(bytes);
  const { text: safe, found } = isText ? redact(text) : { text, found: [] };
  replaceFile(to, found.length > 0 ? Buffer.from(safe) : bytes);
  if ((statSync(from).mode & 0o111) !== 0) chmodSync(to, 0o755);
  return found;
}

/** Writes a file; false when it exists already. */
export function writeNewFile(path: string, text: string): boolean {
  return replaceIfUnchanged(path, [Buffer.from(text)], absentStamp) !== undefined;
}
