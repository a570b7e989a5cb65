import { runGit, withoutOwnFolders } from "../processes/run-git.js";

/** What Git says about a folder. */
export interface GitState {
  /** None before the first commit. */
  commit: string | undefined;
  /** Files that differ from it, the memory's own left out. */
  changedFiles: string[];
}

/** Nothing where Git is not installed or the folder is not in a repository. */
export async function readGitState(root: string): Promise<GitState | undefined> {
  const status = await runGit(
    root,
    "status",
    "--porcelain=v1",
    "-z",
    "--no-renames",
    "--",
    ...withoutOwnFolders,
  );
  if (status === undefined) return undefined;
  const commit = (await runGit(root, "rev-parse", "--verify", "--quiet", "HEAD"))?.trim();
  const entries = status.split("\0").filter((entry) => entry !== "");
  return { commit: commit === "" ? undefined : commit, changedFiles: entries.map((entry) => entry.slice(3)) };
}

/** Whether a commit is in the repository; unknown where Git cannot be asked. */
export async function hasCommit(root: string, commit: string): Promise<boolean | undefined> {
  if (!/^[0-9a-f]{4,64}$/i.test(commit)) return undefined;
  if ((await runGit(root, "rev-parse", "--git-dir")) === undefined) return undefined;
  return (await runGit(root, "cat-file", "-e", `${commit}^{commit}`)) !== undefined;
}

/** The state in a few words. */
export function describeGitState(state: GitState | undefined): string {
  if (state === undefined) return "not a git repository";
  const commit = state.commit === undefined ? "no commit yet" : `commit ${state.commit.slice(0, 12)}`;
  return state.changedFiles.length === 0 ? commit : `${commit}, with uncommitted changes`;
}
