import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Learning } from "../domain/learning.js";

export interface Staleness {
  id: string;
  /** How much of the files it speaks of changed since, from 0 to 1. */
  changed: number;
  files: string[];
}

/** From here on so much of the files changed that what was learned from them may no longer hold. */
const muchChanged = 0.5;

/** Learnings whose files changed a lot since the commit they were drawn from. Nothing where git cannot tell. */
export async function findStale(root: string, learnings: readonly Learning[]): Promise<Staleness[]> {
  const dated = learnings.filter(({ git_commit: commit, files }) => commit !== undefined && files?.length);
  const byCommit = new Map<string, Map<string, number> | undefined>();
  const stale: Staleness[] = [];
  for (const { id, git_commit: commit = "", files = [] } of dated) {
    if (!byCommit.has(commit)) byCommit.set(commit, await changedShares(root, commit));
    const shares = byCommit.get(commit);
    if (shares === undefined) continue;
    const changed = files.filter((file) => (shares.get(file) ?? 0) >= muchChanged);
    if (changed.length > 0)
      stale.push({
        id,
        changed: Math.max(...changed.map((file) => shares.get(file) ?? 0)),
        files: changed,
      });
  }
  return stale;
}

/** By path, the share of its lines that were added or removed since a commit; nothing when git does not know it. */
async function changedShares(root: string, commit: string): Promise<Map<string, number> | undefined> {
  if (!/^[0-9a-f]{4,40}$/i.test(commit)) return undefined;
  const git = async (...args: string[]) =>
    (await promisify(execFile)("git", args, { cwd: root, maxBuffer: 64 * 1024 * 1024 })).stdout;
  try {
    const changes = await git("diff", "--numstat", "--no-renames", commit, "--");
    const shares = new Map<string, number>();
    for (const line of changes.split("\n").filter((text) => text !== "")) {
      const [added = "", removed = "", path = ""] = line.split("\t");
      const lines = (await git("show", `${commit}:${path}`).catch(() => "")).split("\n").length;
      const moved = Math.max(Number(added) || 0, Number(removed) || 0);
      shares.set(path, Math.min(1, moved / Math.max(1, lines)));
    }
    return shares;
  } catch {
    return undefined;
  }
}
