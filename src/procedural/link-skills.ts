import { lstatSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { makeFolder } from "../files/make-folder.js";
import { checkInside, isInside, realPathOf } from "../files/path-inside.js";
import { readFileSnapshot } from "../files/read-file.js";
import { copyPlainFile, listPlainFiles } from "./install-skill.js";
import type { FoundSkill } from "./skill-folders.js";

export interface LinkOptions {
  /** The folder where an agent looks for skills, such as `.claude/skills`. */
  to: string;
  /** The worktree containing it. */
  root: string;
  /** The skill folders; a link into one of them, under the name of the skill, counts as ours. */
  homes: readonly string[];
  isCopy: boolean;
}

export interface SkillLink {
  name: string;
  path: string;
  result: "linked" | "copied" | "unchanged" | "refused";
  reason?: string;
}

/** Never link into these. */
const reservedFolders = new Set([".git", ".ralph", ".agent"]);

/** Links or copies skills into the folder of an agent; only our own links are ever replaced. */
export function linkSkills(skills: readonly FoundSkill[], options: LinkOptions): SkillLink[] {
  const { to, root, homes, isCopy } = options;
  const folder = resolve(root, to);
  if (!isInside(root, folder) || folder === root) {
    throw new RalphError("wrong-use", `--to must be a folder inside the project, not ${to}`, {
      hint: "such as .claude/skills",
    });
  }
  checkInside(root, folder);
  const isHome = homes.some((home) => realPathOf(home) === realPathOf(folder));
  if (isReserved(root, folder) || (!isHome && isReserved(realPathOf(root), realPathOf(folder)))) {
    throw new RalphError("wrong-use", `--to must be a folder that agents read, not ${to}`, {
      hint: "not .git, .ralph or .agent",
    });
  }
  return skills.map((found) => {
    const { name } = found.skill;
    const path = join(folder, name);
    const link = { name, path };
    const source = dirname(found.path);
    const refuse = (reason: string): SkillLink => ({ ...link, result: "refused", reason });
    if (isInside(realPathOf(source), realPathOf(folder))) return refuse("it would contain itself");
    const there = withFileErrors(path, () => lstatSync(path, { throwIfNoEntry: false }));
    if (there?.isSymbolicLink()) {
      const target = targetOf(path);
      if (target === realPathOf(source) && !isCopy) return { ...link, result: "unchanged" };
      const isOwn = homes.some((home) => target === join(realPathOf(home), name));
      if (!isOwn || isHome) return refuse(`it is a link to ${target}`);
      rmSync(path);
    } else if (there !== undefined) {
      if (realPathOf(path) === realPathOf(source) || (isCopy && isSameSkill(source, path)))
        return { ...link, result: "unchanged" };
      return refuse("something else exists there");
    }
    if (isHome) return refuse("the folder is itself a skill folder");
    makeFolder(folder);
    if (isCopy) {
      for (const file of listPlainFiles(source).files) copyPlainFile(join(source, file), join(path, file));
      return { ...link, result: "copied" };
    }
    const target = relative(realPathOf(folder), realPathOf(source));
    withFileErrors(path, () => symlinkSync(target, path, "dir"));
    return { ...link, result: "linked" };
  });
}

function isReserved(root: string, folder: string): boolean {
  return relative(root, folder)
    .split(sep)
    .some((part) => reservedFolders.has(part.toLowerCase()));
}

/** The final target of a link, existing or not. */
function targetOf(link: string): string {
  const target = resolve(realPathOf(dirname(link)), readlinkSync(link));
  try {
    return realPathOf(target);
  } catch (error) {
    if (error instanceof RalphError) return target;
    throw error;
  }
}

function isSameSkill(source: string, copy: string): boolean {
  const bytesOf = (path: string) => readFileSnapshot(path).bytes;
  return listPlainFiles(source).files.every((name) => {
    const own = bytesOf(join(source, name));
    return own !== undefined && bytesOf(join(copy, name))?.equals(own) === true;
  });
}
