import { lstatSync, rmdirSync, rmSync, statSync, unlinkSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { checkSkillName, isSkillName, type Skill } from "../domain/knowledge/skill.js";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { checkInside, isInside, realPathOf } from "../files/path-inside.js";
import { copyPlainFile, listPlainFiles, writeBytes } from "./copy-files.js";
import { type SkillFolder, skillFileName, within } from "./find-skills.js";
import { nameFrom } from "./name-from.js";
import { findSkillText } from "./read-skill-file.js";
import { parseSkillFile, renderFields, type SkillFile, statedName, titleOf, toSkill } from "./skill-file.js";

export interface InstallOptions {
  /** Where it goes: to the first that has one of its name, else to the last. */
  folders: readonly [SkillFolder, ...SkillFolder[]];
  /** Overwrites one of the same name; files that the new one does not have stay. */
  force?: boolean | undefined;
}

export interface InstalledSkill {
  skill: Skill;
  path: string;
  files: string[];
  /** What was not copied, because it is not a plain file. */
  skipped: string[];
}

/** A skill that was checked and is not installed yet. */
interface Candidate {
  skill: Skill;
  text: string;
  /** The folder of the files beside it. */
  beside?: string;
}

/** Checks a skill's file, or the folder of one, and copies it with what lies beside it. */
export async function installSkill(
  source: string,
  { folders, force = false }: InstallOptions,
): Promise<InstalledSkill> {
  const { skill, text, beside } = await readCandidate(resolve(source));
  const taken = folders.find((each) => findInstalled([each], skill.name) !== undefined);
  const folder = taken ?? folders.at(-1) ?? folders[0];
  const target = join(folder.path, skill.name);
  const path = join(target, skillFileName);
  checkInside(folder.root, path);
  if (!force && taken !== undefined) {
    throw new RalphError("already-exists", `There is a skill ${skill.name} already: ${target}`, {
      hint: "write over it with --force",
    });
  }
  const { files, skipped } = beside === undefined ? { files: [], skipped: [] } : listPlainFiles(beside);
  const others = files.filter((name) => name !== skillFileName);
  for (const name of others) {
    checkInside(folder.root, join(target, name));
    copyPlainFile(join(beside ?? "", name), join(target, name));
  }
  // Last, because without this file the folder is no skill yet.
  writeBytes(path, Buffer.from(text));
  return { skill, path, files: [skillFileName, ...others], skipped };
}

/** Where a skill of a name is installed, usable or not. */
export function findInstalled(folders: readonly SkillFolder[], name: string): string | undefined {
  return folders
    .map(({ path }) => join(path, name))
    .find((place) => withFileErrors(place, () => lstatSync(place, { throwIfNoEntry: false })) !== undefined);
}

/**
 * Takes a draft away once it is installed; what was not copied stays. Of a draft that is a link only the link goes, and
 * nothing goes where the folder of drafts is a link, or the skill was installed to where the draft is.
 */
export function removeDraft(draft: string, { path, files, skipped }: InstalledSkill): void {
  if (!lstatSync(dirname(draft)).isDirectory()) return;
  if (lstatSync(draft).isSymbolicLink()) {
    unlinkSync(draft);
    return;
  }
  const [from, to] = [realPathOf(draft), realPathOf(dirname(path))];
  if (isInside(from, to) || isInside(to, from)) return;
  for (const name of files) rmSync(join(draft, name), { force: true });
  if (skipped.length > 0) return;
  const folders = new Set(files.map((name) => dirname(join(draft, name))).filter((each) => each !== draft));
  for (const each of [...folders].sort().reverse()) removeIfEmpty(each);
  removeIfEmpty(draft);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody put something into it meanwhile.
  }
}

async function readCandidate(source: string): Promise<Candidate> {
  const stats = withFileErrors(source, () => statSync(source, { throwIfNoEntry: false }));
  if (stats === undefined) {
    throw new RalphError("not-found", `No such file or folder: ${source}`, {
      hint: "give a skill's file, its folder, or the name of a draft",
    });
  }
  const path = stats.isDirectory() ? join(source, skillFileName) : source;
  const text = findSkillText(path);
  if (text === undefined) {
    throw new RalphError("not-found", `There is no ${skillFileName} in ${source}`);
  }
  return within(path, async () => {
    const file = await parseSkillFile(text);
    const name = nameOf(file, source, stats.isDirectory());
    const skill = toSkill(file, name);
    if (file.block !== "" && file.fields.description === undefined) {
      throw new RalphError("file-unusable", "Its front matter has no description", {
        hint: "say in one or two sentences what the skill does and when to use it",
      });
    }
    return {
      skill,
      // Agents find a skill by its front matter.
      text: file.block === "" ? renderFields({ ...skill, metadata: {} }) + text : text,
      ...(stats.isDirectory() && { beside: source }),
    };
  });
}

function nameOf(file: SkillFile, source: string, isFolder: boolean): string {
  const stated = statedName(file);
  const own = isFolder ? basename(source) : basename(source, extname(source));
  if (stated === undefined) {
    if (isFolder) return checkSkillName(own);
    return isSkillName(own) ? own : nameFrom(titleOf(file) ?? own);
  }
  if (!isFolder || stated === own) return stated;
  throw new RalphError("file-unusable", `Its name is ${stated}, and its folder's is ${own}`, {
    hint: "rename one of the two",
  });
}
