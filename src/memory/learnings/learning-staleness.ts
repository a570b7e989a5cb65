import type { Learning } from "../../domain/knowledge/learning.js";
import { runGit, withoutSubmodules } from "../../processes/run-git.js";

export interface Staleness {
  id: string;
  /** The share of its files that changed since, from 0 to 1. */
  changed: number;
  files: string[];
}

/** From this share on a learning may be outdated. */
const staleFrom = 0.5;

/** Learnings whose files changed a lot since the commit they were learned at. Empty without git. */
export async function findStale(root: string, learnings: readonly Learning[]): Promise<Staleness[]> {
  const dated = learnings.filter(({ git_commit: commit, files }) => commit !== undefined && files?.length);
  const named = new Map<string, Set<string>>();
  for (const { git_commit: commit = "", files = [] } of dated)
    named.set(commit, new Set([...(named.get(commit) ?? []), ...files]));
  const byCommit = new Map<string, Map<string, number>>();
  for (const [commit, files] of named) byCommit.set(commit, await changedShares(root, commit, files));
  const stale: Staleness[] = [];
  for (const { id, git_commit: commit = "", files = [] } of dated) {
    const shares = byCommit.get(commit) ?? new Map<string, number>();
    const changed = files.filter((file) => (shares.get(file) ?? 0) >= staleFrom);
    if (changed.length > 0)
      stale.push({
        id,
        changed: Math.max(...changed.map((file) => shares.get(file) ?? 0)),
        files: changed,
      });
  }
  return stale;
}

/** For each file, the share of its lines changed since a commit; empty if git does not know the commit. */
async function changedShares(
  root: string,
  commit: string,
  files: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const shares = new Map<string, number>();
  if (!/^[0-9a-f]{4,40}$/i.test(commit)) return shares;
  // Lines are counted only for files that learnings mention.
  const changes = await runGit(
    root,
    ...[
      "diff",
      "--numstat",
      "--no-renames",
      "--no-ext-diff",
      "--no-textconv",
      withoutSubmodules,
      "-z",
      commit,
      "--",
    ],
  );
  for (const line of (changes ?? "").split("\0")) {
    const [added = "", removed = "", path = ""] = line.split("\t");
    if (!files.has(path)) continue;
    const lines = ((await runGit(root, "show", `${commit}:${path}`)) ?? "").split("\n").length;
    const moved = Math.max(Number(added) || 0, Number(removed) || 0);
    shares.set(path, Math.min(1, moved / Math.max(1, lines)));
  }
  return shares;
}
