import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { sha256 } from "../domain/sha256.js";
import { askGit, runGit, withoutOwnFolders, withoutSubmodules } from "../processes/run-git.js";
import { diffLines } from "../text/line-diff.js";
import { startOf } from "../text/secrets/clip-output.js";
import { redact } from "../text/secrets/redact.js";

/** A snapshot of a repository's files, without those of the memory. */
export interface WorkState {
  /** Undefined before the first commit. */
  commit: string | undefined;
  /** Content fingerprints of files that differ from the commit, by path. */
  dirtyFiles: ReadonlyMap<string, string>;
  /** Their contents, if they are short texts. */
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

// Beyond these limits only size and mtime are compared: fast, and changes still show.
const maxHashedFiles = 2000;
const maxHashedBytes = 4 * 1024 * 1024;
const maxListed = 1000;
const maxTextFiles = 200;
/** Longer files are not compared line by line. */
const maxTextBytes = 64 * 1024;

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
function topOf(folder: string): string {
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
function textOf(bytes: Buffer): string | undefined {
  return bytes.length > maxTextBytes || bytes.includes(0) ? undefined : bytes.toString("utf8");
}

/** Lines of a file that were replaced; without lines, it is only known that the file changed. */
export interface FileEdit {
  path: string;
  removed: string;
  added: string;
}

const maxFiles = 8;
const maxComparedFiles = 40;
/** Removed and added lines over all files. */
const maxLines = 40;
const maxLineLength = 200;
const maxReadLength = 8 * 1024;
const maxHunksOfFile = 4;

/** The differences from the earlier state, smallest first, limited to a few lines. */
export async function diffSince(
  root: string,
  before: WorkState,
  changedFiles: readonly string[],
): Promise<FileEdit[]> {
  const top = topOf(root);
  const compared = changedFiles.slice(0, maxComparedFiles);
  const committed = await committedTexts(
    root,
    before.commit,
    compared.filter((path) => !before.dirtyFiles.has(path)),
  );
  const changes = compared.map((path) => {
    const old = before.dirtyFiles.has(path) ? textBefore(before, path) : committed.get(path);
    const now = currentText(join(top, path));
    return { path, hunks: old === undefined || now === undefined ? [] : diffLines(old, now) };
  });
  let left = maxLines;
  const edits: FileEdit[] = [];
  // Files without hunks come last: only their names are known.
  for (const { path, hunks } of changes
    .toSorted((one, other) => weightOf(one) - weightOf(other))
    .slice(0, maxFiles)) {
    const shown = hunks.slice(0, maxHunksOfFile).flatMap(({ removed, added }) => {
      if (left <= 0) return [];
      const old = removed.slice(0, Math.ceil(left / 2));
      const now = added.slice(0, left - old.length);
      left -= old.length + now.length;
      return [{ path, removed: render(old), added: render(now) }];
    });
    edits.push(...(shown.length > 0 ? shown : [{ path, removed: "", added: "" }]));
  }
  return edits;
}

function weightOf({ hunks }: { hunks: readonly { removed: string[]; added: string[] }[] }): number {
  if (hunks.length === 0) return Number.POSITIVE_INFINITY;
  return hunks.reduce((sum, { removed, added }) => sum + removed.length + added.length, 0);
}

function render(lines: readonly string[]): string {
  return lines
    .map((line) =>
      line.length > maxLineLength
        ? `${startOf(redact(line.slice(0, maxReadLength)).text, maxLineLength)}…`
        : line,
    )
    .join("\n");
}

/** The text of a file with uncommitted changes; undefined when it is long or binary. */
function textBefore({ dirtyFiles, texts }: WorkState, path: string): string | undefined {
  return texts.get(path) ?? (dirtyFiles.get(path) === "absent" ? "" : undefined);
}

/** Empty when the file was removed, undefined when it is not a short text. */
function currentText(path: string): string | undefined {
  try {
    const stat = lstatSync(path);
    return stat.isFile() && stat.size <= maxTextBytes ? textOf(readFileSync(path)) : undefined;
  } catch {
    return "";
  }
}

/** The short texts of a commit by path; empty for files it does not contain. */
async function committedTexts(
  root: string,
  commit: string | undefined,
  paths: readonly string[],
): Promise<Map<string, string>> {
  if (commit === undefined) return new Map(paths.map((path) => [path, ""]));
  const asked = paths.filter((path) => !path.includes("\n"));
  if (asked.length === 0) return new Map();
  const texts = new Map<string, string>();
  const sizes = await askGit(
    root,
    inputOf(commit, asked),
    "cat-file",
    "--batch-check=%(objecttype) %(objectsize)",
  );
  const short: string[] = [];
  for (const [index, line] of (sizes?.toString("utf8") ?? "").split("\n").entries()) {
    const path = asked[index];
    if (path === undefined) break;
    const [, size] = /^blob (\d+)$/.exec(line) ?? [];
    if (line.endsWith(" missing")) texts.set(path, "");
    else if (size !== undefined && Number(size) <= maxTextBytes) short.push(path);
  }
  if (short.length === 0) return texts;
  let rest = await askGit(root, inputOf(commit, short), "cat-file", "--batch=%(objectsize)");
  for (const path of short) {
    const end = rest?.indexOf("\n") ?? -1;
    if (rest === undefined || end === -1) break;
    const size = Number(rest.subarray(0, end).toString("latin1"));
    const text = textOf(rest.subarray(end + 1, end + 1 + size));
    if (text !== undefined) texts.set(path, text);
    rest = rest.subarray(end + size + 2);
  }
  return texts;
}

function inputOf(commit: string, paths: readonly string[]): string {
  return paths.map((path) => `${commit}:${path}\n`).join("");
}
