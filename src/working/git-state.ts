import { runGit, withoutOwnFolders, withoutSubmodules } from "../processes/run-git.js";

/** The state of a folder in Git. */
export interface GitState {
  /** Undefined before the first commit. */
  commit: string | undefined;
  /** Uncommitted files, except those of Ralph. */
  changedFiles: string[];
}

/** Undefined without Git or outside a repository. */
export async function readGitState(root: string): Promise<GitState | undefined> {
  const status = await runGit(
    root,
    "status",
    "--porcelain=v1",
    "-z",
    "--no-renames",
    withoutSubmodules,
    "--",
    ...withoutOwnFolders,
  );
  if (status === undefined) return undefined;
  const commit = (await runGit(root, "rev-parse", "--verify", "--quiet", "HEAD"))?.trim();
  const entries = status.split("\0").filter((entry) => entry !== "");
  return { commit: commit === "" ? undefined : commit, changedFiles: entries.map((entry) => entry.slice(3)) };
}

/** Whether the repository has a commit; undefined without Git or for an invalid hash. */
export async function hasCommit(root: string, commit: string): Promise<boolean | undefined> {
  if (!/^[0-9a-f]{4,64}$/i.test(commit)) return undefined;
  if ((await runGit(root, "rev-parse", "--git-dir")) === undefined) return undefined;
  return (await runGit(root, "cat-file", "-e", `${commit}^{commit}`)) !== undefined;
}

export function describeGitState(state: GitState | undefined): string {
  if (state === undefined) return "not a git repository";
  const commit = state.commit === undefined ? "no commit yet" : `commit ${state.commit.slice(0, 12)}`;
  return state.changedFiles.length === 0 ? commit : `${commit}, with uncommitted changes`;
}
