import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import type { Project } from "../../files/find-project.js";
import { runGit, tryGit, withoutOwnFolders, withoutSubmodules } from "../../processes/run-git.js";

/** A worktree that was made for one run. */
export interface Worktree {
  folder: string;
  branch: string;
  /** The abbreviated commit it starts from. */
  commit: string;
  /** Uncommitted files, which are not in the worktree. */
  uncommitted: number;
}

const checkoutMs = 600_000;
const maxSlug = 32;

/** Makes a worktree next to the project, named after the objective, on a new branch from the last commit. */
export async function makeWorktree({ root, home, kind }: Project, objective: string): Promise<Worktree> {
  if (kind === "folder")
    throw new RalphError("wrong-use", "--worktree needs a Git repository, and this folder is not in one", {
      hint: "git init",
    });
  const commit = (await runGit(root, "rev-parse", "--short", "HEAD"))?.trim();
  if (commit === undefined)
    throw new RalphError("wrong-use", "--worktree needs at least one commit to start from", {
      hint: 'git add -A && git commit -m "Start"',
    });
  const main = kind === "git" ? home : root;
  const { folder, branch } = await freeName(root, join(dirname(main), basename(main)), slugOf(objective));
  const made = await tryGit(root, ["worktree", "add", "--quiet", "-b", branch, folder], checkoutMs);
  if ("problem" in made)
    throw new RalphError("program-unusable", `Git cannot make the worktree ${folder}: ${made.problem}`, {
      hint: "make one yourself with git worktree add, and run Ralph in it",
    });
  const options = ["--porcelain", "--untracked-files=all", withoutSubmodules];
  const status = (await runGit(root, "status", ...options, "--", ...withoutOwnFolders)) ?? "";
  return { folder, branch, commit, uncommitted: status.split("\n").filter((line) => line !== "").length };
}

/** Removes what was made for a run that could not start. */
export async function removeWorktree(root: string, { folder, branch }: Worktree): Promise<void> {
  await tryGit(root, ["worktree", "remove", "--force", folder], checkoutMs);
  await runGit(root, "branch", "--quiet", "-D", branch);
}

async function freeName(
  root: string,
  prefix: string,
  slug: string,
): Promise<Pick<Worktree, "folder" | "branch">> {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? slug : `${slug}-${number}`;
    const [folder, branch] = [`${prefix}-${name}`, `ralph/${name}`];
    const known = await runGit(root, "rev-parse", "--verify", "--quiet", `refs/heads/${branch}`);
    if (known === undefined && !existsSync(folder)) return { folder, branch };
  }
}

/** `Fix the login test!` becomes `fix-the-login-test`. */
export function slugOf(objective: string): string {
  const [line = ""] = objective.split("\n");
  const words = line
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9\s_./-]/g, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  let slug = "";
  for (const word of words) {
    const longer = slug === "" ? word : `${slug}-${word}`;
    if (longer.length > maxSlug) break;
    slug = longer;
  }
  return slug || words[0]?.slice(0, maxSlug) || "task";
}

/** What to do with a worktree after its run. */
export function worktreeSteps({ folder, branch }: Pick<Worktree, "folder" | "branch">) {
  const at = quoted(folder);
  return {
    commit: `git -C ${at} add -A && git -C ${at} commit`,
    merge: `git merge ${branch}`,
    remove: `git worktree remove ${at} && git branch -d ${branch}`,
  };
}

function quoted(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
