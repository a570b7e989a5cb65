import { lstatSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { makeFolder } from "../files/make-folder.js";
import { checkInside, isInside, realPathOf } from "../files/path-inside.js";
import { readFileSnapshot } from "../files/read-file.js";
import { copyPlainFile, listPlainFiles } from "./copy-files.js";
import type { FoundSkill } from "./find-skills.js";

export interface LinkOptions {
  /** The folder that agents look into, such as `.claude/skills`. */
  to: string;
  /** The worktree that it belongs to. */
  root: string;
  /** The folders that hold skills; a link to one of a skill's name in them was made here. */
  homes: readonly string[];
  isCopy: boolean;
}

export interface SkillLink {
  name: string;
  path: string;
  result: "linked" | "copied" | "unchanged" | "refused";
  reason?: string;
}

/** Folders with things of their own, where nothing is shown to agents. */
const closedFolders = new Set([".git", ".ralph", ".agent"]);

/** Shows skills to agents in a folder of theirs; only what was made here before is ever replaced. */
export function linkSkills(skills: readonly FoundSkill[], options: LinkOptions): SkillLink[] {
  const { to, root, homes, isCopy } = options;
  const folder = resolve(root, to);
  if (!isInside(root, folder) || folder === root) {
    throw new RalphError("wrong-use", `--to takes a folder inside the project, not ${to}`, {
      hint: "such as .claude/skills",
    });
  }
  checkInside(root, folder);
  const isHome = homes.some((home) => realPathOf(home) === realPathOf(folder));
  if (isClosed(root, folder) || (!isHome && isClosed(realPathOf(root), realPathOf(folder)))) {
    throw new RalphError("wrong-use", `--to takes a folder that agents read, not ${to}`, {
      hint: "nothing is linked into .git, .ralph and .agent",
    });
  }
  return skills.map((found) => {
    const { name } = found.skill;
    const path = join(folder, name);
    const link = { name, path };
    const source = dirname(found.path);
    const refuse = (reason: string): SkillLink => ({ ...link, result: "refused", reason });
    if (isInside(realPathOf(source), realPathOf(folder))) return refuse("it would be inside of itself");
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
      return refuse("something else is there");
    }
    if (isHome) return refuse("the folder is one of skills itself");
    makeFolder(folder);
    if (isCopy) {
      for (const file of listPlainFiles(source).files) copyPlainFile(join(source, file), join(path, file));
      return { ...link, result: "copied" };
    }
    const way = relative(realPathOf(folder), realPathOf(source));
    withFileErrors(path, () => symlinkSync(way, path, "dir"));
    return { ...link, result: "linked" };
  });
}

function isClosed(root: string, folder: string): boolean {
  return relative(root, folder)
    .split(sep)
    .some((part) => closedFolders.has(part.toLowerCase()));
}

/** Where a link leads in the end; where it would, if nothing is there. */
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
