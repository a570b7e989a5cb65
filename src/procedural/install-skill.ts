import { chmodSync, lstatSync, readdirSync, rmdirSync, rmSync, statSync, unlinkSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { checkSkillName, isSkillName, type Skill } from "../domain/knowledge/skill.js";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { absentStamp } from "../files/file-stamp.js";
import { findStats } from "../files/find-stats.js";
import { checkInside, isInside, realPathOf } from "../files/path-inside.js";
import { readFileSnapshot } from "../files/read-file.js";
import { replaceFile, replaceIfUnchanged } from "../files/replace-file.js";
import type { SecretKind } from "../text/secrets/mark.js";
import { redact, redactDeep } from "../text/secrets/redact.js";
import { skillNameFrom } from "./draft-skill.js";
import {
  checkFolderName,
  declaredName,
  descriptionHint,
  parseSkillFile,
  renderFields,
  type SkillFile,
  titleOf,
  toSkill,
} from "./skill-file.js";
import { findSkillText, type SkillFolder, skillFileName, withPathInErrors } from "./skill-folders.js";

export interface InstallOptions {
  /** The skill is installed in the first folder with one of its name, else in the last. */
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
  /** Its folder, if there is one to copy. */
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
  // Written last, because this file makes the folder a skill.
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
 * Removes an installed draft, except files that were not copied. If the draft is a link, removes only the link; removes nothing if the
 * drafts folder is a link, or if the draft and the installed skill overlap.
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
    // The folder is not empty: something was added meanwhile.
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

/** Files of a folder, as paths relative to it. */
export interface PlainFiles {
  files: string[];
  /** Links, pipes and other special files. */
  skipped: string[];
}

const maxFiles = 200;
const maxBytes = 10 * 1024 * 1024;
const maxDepth = 5;

/** The regular files of a skill folder; throws if it is too large for a skill. */
export function listPlainFiles(folder: string): PlainFiles {
  const files: string[] = [];
  const skipped: string[] = [];
  let bytes = 0;
  const visit = (below: string, depth: number) => {
    const at = join(folder, below);
    for (const entry of withFileErrors(at, () => readdirSync(at, { withFileTypes: true }))) {
      const path = join(below, entry.name);
      if (entry.isDirectory() && entry.name !== ".git" && depth < maxDepth) visit(path, depth + 1);
      else if (entry.isFile()) {
        files.push(path);
        bytes += statSync(join(folder, path)).size;
      } else skipped.push(path);
      if (files.length > maxFiles || bytes > maxBytes) throw tooLarge(folder);
    }
  };
  visit("", 1);
  return { files: files.sort(), skipped: skipped.sort() };
}

function tooLarge(folder: string): RalphError {
  return new RalphError("file-unusable", `More than ${maxFiles} files or 10 MB in ${folder}`, {
    hint: "a skill folder has a SKILL.md and the few files it needs",
  });
}

/** Copies a file and its executable bit; returns the kinds of secrets that were replaced in the copy of a text. */
export function copyPlainFile(from: string, to: string): SecretKind[] {
  const { bytes } = readFileSnapshot(from);
  if (bytes === undefined) throw new RalphError("not-found", `The file no longer exists: ${from}`);
  const text = bytes.toString("utf8");
  const isText = !text.includes("\0") && Buffer.from(text).equals(bytes);
  const { text: safe, found } = isText ? redact(text) : { text, found: [] };
  replaceFile(to, found.length > 0 ? Buffer.from(safe) : bytes);
  if ((statSync(from).mode & 0o111) !== 0) chmodSync(to, 0o755);
  return found;
}

/** Writes a file; false when it exists already. */
export function writeNewFile(path: string, text: string): boolean {
  return replaceIfUnchanged(path, [Buffer.from(text)], absentStamp) !== undefined;
}
