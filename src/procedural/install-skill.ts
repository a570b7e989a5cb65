import { lstatSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { checkSkillName, isSkillName, type Skill } from "../domain/knowledge/skill.js";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { findStats } from "../files/find-stats.js";
import { checkInside, isInside, realPathOf } from "../files/path-inside.js";
import { replaceFile } from "../files/replace-file.js";
import type { SecretKind } from "../text/secrets/mark.js";
import { redact, redactDeep } from "../text/secrets/redact.js";
import { copyPlainFile, listPlainFiles } from "./copy-files.js";
import { type SkillFolder, skillFileName } from "./find-skills.js";
import { findSkillText, withPathInErrors } from "./read-skill-file.js";
import { renderFields } from "./render-skill.js";
import {
  checkFolderName,
  declaredName,
  descriptionHint,
  parseSkillFile,
  type SkillFile,
  titleOf,
  toSkill,
} from "./skill-file.js";
import { skillNameFrom } from "./skill-name-from.js";

export interface InstallOptions {
  /** The skill goes to the first folder that has one of its name, else to the last. */
  folders: readonly [SkillFolder, ...SkillFolder[]];
  /** Overwrites a skill of the same name; its other files are kept. */
  force?: boolean | undefined;
}

export interface InstalledSkill {
  skill: Skill;
  path: string;
  files: string[];
  /** Not copied, because they are not regular files. */
  skipped: string[];
  /** Kinds of secrets that were replaced in the copy. */
  redacted: SecretKind[];
}

/** A validated skill, not installed yet. */
interface Candidate {
  skill: Skill;
  text: string;
  /** Its folder, when there is one to copy. */
  folder?: string;
}

/** Validates a skill file or skill folder and copies it. */
export async function installSkill(
  source: string,
  { folders, force = false }: InstallOptions,
): Promise<InstalledSkill> {
  const { skill, text, folder: from } = await readCandidate(resolve(source));
  const taken = folders.find((each) => findInstalled([each], skill.name) !== undefined);
  const folder = taken ?? folders.at(-1) ?? folders[0];
  const target = join(folder.path, skill.name);
  const path = join(target, skillFileName);
  checkInside(folder.root, path);
  if (!force && taken !== undefined) {
    throw new RalphError("already-exists", `Skill ${skill.name} already exists: ${target}`, {
      hint: "overwrite it with --force",
    });
  }
  const { files, skipped } = from === undefined ? { files: [], skipped: [] } : listPlainFiles(from);
  const others = files.filter((name) => name !== skillFileName);
  const redacted = new Set<SecretKind>();
  for (const name of others) {
    checkInside(folder.root, join(target, name));
    for (const kind of copyPlainFile(join(from ?? "", name), join(target, name))) redacted.add(kind);
  }
  const safe = redact(text);
  for (const kind of safe.found) redacted.add(kind);
  // Last, because this file makes the folder a skill.
  replaceFile(path, safe.text);
  return {
    ...{ skill: redactDeep(skill), path, files: [skillFileName, ...others], skipped },
    redacted: [...redacted],
  };
}

/** The folder of an installed skill, valid or not. */
export function findInstalled(folders: readonly SkillFolder[], name: string): string | undefined {
  return folders
    .map(({ path }) => join(path, name))
    .find((path) => withFileErrors(path, () => lstatSync(path, { throwIfNoEntry: false })) !== undefined);
}

/**
 * Removes an installed draft, except files that were not copied. If the draft is a link, only the link is removed; nothing
 * is removed if the drafts folder is a link, or if the draft and the installed skill overlap.
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
    // Something was added to it in the meantime.
  }
}

async function readCandidate(source: string): Promise<Candidate> {
  const stats = findStats(source);
  if (stats === undefined) {
    throw new RalphError("not-found", `No such file or folder: ${source}`, {
      hint: "pass a skill file, its folder, or the name of a draft",
    });
  }
  const path = stats.isDirectory() ? join(source, skillFileName) : source;
  const text = findSkillText(path);
  if (text === undefined) {
    throw new RalphError("not-found", `No ${skillFileName} in ${source}`);
  }
  return withPathInErrors(path, async () => {
    if (text.trim() === "")
      throw new RalphError("file-unusable", "The skill is empty", { hint: "write its steps first" });
    const file = await parseSkillFile(text);
    const name = nameOf(file, source, stats.isDirectory());
    const skill = toSkill(file, name);
    if (file.block !== "" && file.fields.description === undefined) {
      throw new RalphError("file-unusable", "The front matter has no description", {
        hint: descriptionHint,
      });
    }
    return {
      skill,
      // Agents discover skills by their front matter.
      text: file.block === "" ? renderFields({ ...skill, metadata: {} }) + text : text,
      ...(stats.isDirectory() && { folder: source }),
    };
  });
}

function nameOf(file: SkillFile, source: string, isFolder: boolean): string {
  if (isFolder) {
    checkFolderName(file, basename(source));
    return checkSkillName(basename(source));
  }
  const fileName = basename(source, extname(source));
  const fallback = () => (isSkillName(fileName) ? fileName : skillNameFrom(titleOf(file) ?? fileName));
  return declaredName(file) ?? fallback();
}
