import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { sha256 } from "../domain/sha256.js";
import { runGit, withoutOwnFolders, withoutSubmodules } from "../processes/run-git.js";

/** A snapshot of a repository's files, without those of the memory. */
export interface WorkState {
  /** Undefined before the first commit. */
  commit: string | undefined;
  /** Content fingerprints of files that differ from the commit, by path. */
  dirtyFiles: ReadonlyMap<string, string>;
  /** Their contents, as far as they are short texts. */
  texts: ReadonlyMap<string, string>;
  /** Equal for the same commit and contents. */
  digest: string;
}

export interface WorkChanges {
  /** Sorted paths, relative to the repository root. */
  changedFiles: string[];
  /** Only set for a new commit. */
  commit: string | undefined;
  hasChanged: boolean;
}

// Beyond these limits only size and mtime are compared: quick, and changes still show.
const maxHashedFiles = 2000;
const maxHashedBytes = 4 * 1024 * 1024;
const maxListed = 1000;
const maxTextFiles = 200;
/** Longer files are not compared line by line. */
export const maxTextBytes = 64 * 1024;

/** Undefined when Git is not installed or the folder is not in a repository. */
export async function readWorkState(root: string): Promise<WorkState | undefined> {
  const options = [
    "--porcelain=v2",
    "--branch",
    "-z",
    "--no-renames",
    "--untracked-files=all",
    withoutSubmodules,
  ];
  const status = await runGit(root, "status", ...options, "--", ...withoutOwnFolders);
  if (status === undefined) return undefined;
  const top = topOf(root);
  const dirtyFiles = new Map<string, string>();
  const texts = new Map<string, string>();
  let commit: string | undefined;
  for (const entry of status.split("\0")) {
    commit ??= /^# branch\.oid ([0-9a-f]{40,})$/.exec(entry)?.[1];
    const [, state = "", path] = changedEntry.exec(entry) ?? [];
    if (path === undefined) continue;
    const { print, text } = readContent(join(top, path), dirtyFiles.size < maxHashedFiles);
    // Staging changes no file; the state of a nested repository is known only to Git.
    dirtyFiles.set(path, print === "folder" ? state : print);
    if (text !== undefined && texts.size < maxTextFiles) texts.set(path, text);
  }
  const state = [...dirtyFiles].sort().map(([path, content]) => `\0${path}\0${content}`);
  return { commit, dirtyFiles, texts, digest: sha256([commit ?? "", ...state].join("")) };
}

/** A changed file has 7 fields after its kind, one in conflict 9, an untracked one none; the rest is the path. */
const changedEntry = /^(1(?: \S+){7}|u(?: \S+){9}|\?) ([\s\S]+)$/;

/** The root of the repository, found without starting a process. */
export function topOf(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (at === dirname(at)) return folder;
  }
}

/** Changes between two snapshots: edited files and commits. */
export async function changesBetween(
  root: string,
  before: WorkState,
  after: WorkState,
): Promise<WorkChanges> {
  const { commit } = after;
  const committed = commit === before.commit ? [] : await filesBetween(root, before.commit, commit);
  const paths = new Set([...before.dirtyFiles.keys(), ...after.dirtyFiles.keys()]);
  const edited = [...paths].filter((path) => before.dirtyFiles.get(path) !== after.dirtyFiles.get(path));
  return {
    changedFiles: [...new Set([...committed, ...edited])].sort().slice(0, maxListed),
    commit: commit === before.commit ? undefined : commit,
    hasChanged: before.digest !== after.digest,
  };
}

async function filesBetween(
  root: string,
  from: string | undefined,
  to: string | undefined,
): Promise<string[]> {
  if (to === undefined) return [];
  const names =
    from === undefined
      ? await runGit(root, "ls-tree", "-r", "-z", "--name-only", "--full-tree", to)
      : await runGit(root, "diff", "--name-only", "--no-renames", "-z", from, to, "--", ...withoutOwnFolders);
  return (names ?? "").split("\0").filter((name) => name !== "" && !/^\.(?:agent|ralph)\//.test(name));
}

/** A fingerprint of the content, and the content itself if it is a short text. */
function readContent(path: string, mayRead: boolean): { print: string; text?: string | undefined } {
  try {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return { print: `link ${readlinkSync(path)}` };
    if (!stat.isFile()) return { print: "folder" };
    if (!mayRead || stat.size > maxHashedBytes) return { print: `${stat.size} ${stat.mtimeMs}` };
    const bytes = readFileSync(path);
    return { print: sha256(bytes), text: textOf(bytes) };
  } catch {
    return { print: "absent" };
  }
}

/** Undefined for binary and long files. */
export function textOf(bytes: Buffer): string | undefined {
  return bytes.length > maxTextBytes || bytes.includes(0) ? undefined : bytes.toString("utf8");
}
