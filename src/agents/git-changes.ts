import { createHash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { runGit, withoutOwnFolders } from "../files/run-git.js";

/** The state of a repository's files at a moment, the memory's own left out. */
export interface WorkState {
  /** None before the first commit. */
  commit: string | undefined;
  /** By path, what each file that differs from the commit is like. */
  dirtyFiles: ReadonlyMap<string, string>;
  /** The same for the same commit and the same contents. */
  digest: string;
}

export interface WorkChanges {
  /** Sorted paths, from the top of the repository. */
  changedFiles: string[];
  /** Only when there is a new one. */
  commit: string | undefined;
  hasChanged: boolean;
}

// Of more or larger files only size and time are compared: that is quick, and still tells when something changes.
const maxHashedFiles = 2000;
const maxHashedBytes = 4 * 1024 * 1024;
const maxListed = 1000;

/** Nothing where Git is not installed or the folder is not in a repository. */
export async function readWorkState(root: string): Promise<WorkState | undefined> {
  const [status, head, top] = await Promise.all([
    runGit(
      root,
      ...["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--"],
      ...withoutOwnFolders,
    ),
    runGit(root, "rev-parse", "--verify", "--quiet", "HEAD"),
    runGit(root, "rev-parse", "--show-toplevel"),
  ]);
  if (status === undefined || top === undefined) return undefined;
  const commit = head?.trim() || undefined;
  const folder = top.replace(/\n$/, "");
  const dirtyFiles = new Map<string, string>();
  for (const entry of status.split("\0")) {
    if (entry === "") continue;
    const path = entry.slice(3);
    dirtyFiles.set(
      path,
      `${entry.slice(0, 2)} ${contentOf(join(folder, path), dirtyFiles.size < maxHashedFiles)}`,
    );
  }
  const hash = createHash("sha256").update(commit ?? "");
  for (const [path, content] of dirtyFiles) hash.update(`\0${path}\0${content}`);
  return { commit, dirtyFiles, digest: hash.digest("hex") };
}

/** What changed between two moments: in files, and by commits. */
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

/** What tells this content from another. */
function contentOf(path: string, mayRead: boolean): string {
  try {
    const stat = lstatSync(path);
    if (stat.isSymbolicLink()) return `link ${readlinkSync(path)}`;
    if (!stat.isFile()) return "folder";
    if (!mayRead || stat.size > maxHashedBytes) return `${stat.size} ${stat.mtimeMs}`;
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return "absent";
  }
}
