import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What Git says about a folder. */
export interface GitState {
  /** None before the first commit. */
  commit: string | undefined;
  /** Files that differ from it, the memory's own left out. */
  changedFiles: string[];
}

const timeoutMs = 10_000;
const ownFolders = [":(exclude,top).agent", ":(exclude,top).ralph"];

/** Nothing where Git is not installed or the folder is not in a repository. */
export async function readGitState(root: string): Promise<GitState | undefined> {
  const status = await git(root, "status", "--porcelain=v1", "-z", "--no-renames", "--", ":/", ...ownFolders);
  if (status === undefined) return undefined;
  const commit = (await git(root, "rev-parse", "--verify", "--quiet", "HEAD"))?.trim();
  const entries = status.split("\0").filter((entry) => entry !== "");
  return { commit: commit === "" ? undefined : commit, changedFiles: entries.map((entry) => entry.slice(3)) };
}

/** Whether a commit is in the repository; unknown where Git cannot be asked. */
export async function hasCommit(root: string, commit: string): Promise<boolean | undefined> {
  if (!/^[0-9a-f]{4,64}$/i.test(commit)) return undefined;
  if ((await git(root, "rev-parse", "--git-dir")) === undefined) return undefined;
  return (await git(root, "cat-file", "-e", `${commit}^{commit}`)) !== undefined;
}

/** The state in a few words. */
export function describeGitState(state: GitState | undefined): string {
  if (state === undefined) return "not a git repository";
  const commit = state.commit === undefined ? "no commit yet" : `commit ${state.commit.slice(0, 12)}`;
  return state.changedFiles.length === 0 ? commit : `${commit}, with uncommitted changes`;
}

/** What it prints; nothing when it fails, which is how Git says no. */
async function git(root: string, ...args: string[]): Promise<string | undefined> {
  try {
    const options = { cwd: root, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 };
    return (await promisify(execFile)("git", ["--no-optional-locks", ...args], options)).stdout;
  } catch {
    return undefined;
  }
}
