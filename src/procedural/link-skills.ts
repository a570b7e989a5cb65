import { lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { checkInside, isInside, realPathOf } from "../files/path-inside.js";
import { readFileSnapshot } from "../files/read-file.js";
import { copyPlainFile, listPlainFiles } from "./copy-files.js";
import type { FoundSkill } from "./find-skills.js";

export interface LinkOptions {
  /** The folder that agents look into, such as `.claude/skills`. */
  to: string;
  /** The worktree that it belongs to. */
  root: string;
  isCopy: boolean;
}

export interface SkillLink {
  name: string;
  path: string;
  result: "linked" | "copied" | "unchanged" | "refused";
  reason?: string;
}

/** Shows skills to agents in a folder of theirs; only what was made here before is ever replaced. */
export function linkSkills(skills: readonly FoundSkill[], { to, root, isCopy }: LinkOptions): SkillLink[] {
  const folder = resolve(root, to);
  if (!isInside(root, folder) || folder === root) {
    throw new RalphError("wrong-use", `--to takes a folder inside the project, not ${to}`, {
      hint: "such as .claude/skills",
    });
  }
  checkInside(root, folder);
  return skills.map((found) => {
    const path = join(folder, found.skill.name);
    const link = { name: found.skill.name, path };
    const source = dirname(found.path);
    const there = withFileErrors(path, () => lstatSync(path, { throwIfNoEntry: false }));
    if (there?.isSymbolicLink()) {
      const target = resolve(realPathOf(folder), readlinkSync(path));
      if (target === realPathOf(source) && !isCopy) return { ...link, result: "unchanged" };
      if (!isOwnTarget(target, found.skill.name))
        return { ...link, result: "refused", reason: `it is a link to ${target}` };
      rmSync(path);
    } else if (there !== undefined) {
      if (realPathOf(path) === realPathOf(source) || (isCopy && isSameSkill(source, path)))
        return { ...link, result: "unchanged" };
      return { ...link, result: "refused", reason: "something else is there" };
    }
    withFileErrors(path, () => mkdirSync(folder, { recursive: true }));
    if (isCopy) {
      for (const name of listPlainFiles(source).files) copyPlainFile(join(source, name), join(path, name));
      return { ...link, result: "copied" };
    }
    const way = relative(realPathOf(folder), realPathOf(source));
    withFileErrors(path, () => symlinkSync(way, path, "dir"));
    return { ...link, result: "linked" };
  });
}

/** A link into any folder of skills of ours, also of one that has moved. */
function isOwnTarget(target: string, name: string): boolean {
  return target.endsWith([sep, ".agent", sep, "skills", sep, name].join(""));
}

function isSameSkill(source: string, copy: string): boolean {
  const bytesOf = (path: string) => readFileSnapshot(path).bytes;
  return listPlainFiles(source).files.every((name) => {
    const own = bytesOf(join(source, name));
    return own !== undefined && bytesOf(join(copy, name))?.equals(own) === true;
  });
}
