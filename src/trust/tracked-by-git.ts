import { realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { findGitDirectory } from "../files/find-project.js";
import { namesIn } from "../files/names-in.js";
import { maxGitIndexBytes, readRegularFile } from "../files/read-regular-file.js";

/**
 * Whether git tracks a folder or anything in it except a `.gitignore`: in the repository containing the folder, one around that, or one
 * that the folder is itself, as for a submodule. For a link, both names are checked. Reads git's index without starting git. An unreadable
 * index counts as tracking it.
 */
export function isTrackedByGit(folder: string): boolean {
  const target = realPathOf(folder);
  return isTrackedUnderName(folder) || (target !== folder && isTrackedUnderName(target));
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return path;
    throw error;
  }
}

function isTrackedUnderName(folder: string): boolean {
  for (let root = folder; ; root = dirname(root)) {
    const directory = findGitDirectory(root);
    if (directory !== undefined && isInIndex(directory, relative(root, folder))) return true;
    if (root === dirname(root)) return false;
  }
}

function isInIndex(gitDirectory: string, folder: string): boolean {
  const name = folder === "" ? "" : `${folder.split(sep).join("/")}/`;
  const prefix = Buffer.from(name).toString("latin1");
  // With `core.splitIndex`, most entries are in these files.
  const shared = namesIn(gitDirectory).filter((name) => name.startsWith("sharedindex."));
  return ["index", ...shared].some((name) => mentions(join(gitDirectory, name), prefix.toLowerCase()));
}

function mentions(index: string, prefix: string): boolean {
  try {
    return searchEntries(readRegularFile(index, { maxBytes: maxGitIndexBytes }), prefix) ?? true;
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return !isSystemError(error.cause, "ENOENT");
  }
}

/** Undefined if the bytes end before the answer, or are not an index. */
function searchEntries(bytes: Buffer, prefix: string): boolean | undefined {
  if (bytes.length < headerLength || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = bytes.readUInt32BE(4);
  const count = bytes.readUInt32BE(8);
  for (const hashLength of [20, 32]) {
    const answer = walk(bytes, { version, count, hashLength, prefix });
    if (answer !== undefined) return answer;
  }
  return undefined;
}

interface Walk {
  version: number;
  count: number;
  /** 20 bytes for SHA-1, 32 for SHA-256. */
  hashLength: number;
  prefix: string;
}

const headerLength = 12;
const statLength = 40;
const extendedFlag = 0x4000;
const lengthMask = 0x0fff;

function walk(bytes: Buffer, { version, count, hashLength, prefix }: Walk): boolean | undefined {
  let at = headerLength;
  let name = "";
  for (let entry = 0; entry < count; entry += 1) {
    const flagsAt = at + statLength + hashLength;
    if (flagsAt + 4 > bytes.length) return undefined;
    const flags = bytes.readUInt16BE(flagsAt);
    let nameAt = flagsAt + 2 + (flags & extendedFlag && version >= 3 ? 2 : 0);
    let kept = "";
    if (version === 4) {
      const removed = readOffset(bytes, nameAt);
      nameAt = removed.next;
      kept = name.slice(0, name.length - removed.value);
    }
    const end = bytes.indexOf(0, nameAt);
    if (end === -1) return undefined;
    name = kept + bytes.toString("latin1", nameAt, end);
    const nameLength = flags & lengthMask;
    if (nameLength !== Math.min(name.length, lengthMask)) return undefined;
    // Many systems ignore case in names; those with capitals sort first.
    const folded = name.toLowerCase();
    // The folder itself is an entry if it is a link or a submodule.
    if (prefix !== "" && folded === prefix.slice(0, -1)) return true;
    if (folded.startsWith(prefix) && folded !== `${prefix}.gitignore`) return true;
    if (name > prefix && !folded.startsWith(prefix)) return false;
    at = version === 4 ? end + 1 : at + padded(end - at);
  }
  return false;
}

/** Entries end with one to eight zero bytes, at a multiple of eight. */
function padded(length: number): number {
  return (length + 8) & ~7;
}

/** A variable-length number, seven bits per byte, highest first, with one encoding per number. */
function readOffset(bytes: Buffer, from: number): { value: number; next: number } {
  let next = from;
  let byte = bytes[next++] ?? 0;
  let value = byte & 127;
  while (byte & 128) {
    byte = bytes[next++] ?? 0;
    value = ((value + 1) << 7) | (byte & 127);
  }
  return { value, next };
}
