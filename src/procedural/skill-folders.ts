import { readdirSync } from "node:fs";
import { join } from "node:path";
import { checkSkillName, isSkillName, type Skill } from "../domain/knowledge/skill.js";
import { isSystemError, RalphError } from "../domain/ralph-error.js";
import { fileProblem } from "../files/file-problem.js";
import { findStats } from "../files/find-stats.js";
import { maxFolderEntries } from "../files/names-in.js";
import { checkInside } from "../files/path-inside.js";
import { readFileSnapshot } from "../files/read-file.js";
import { decodeUtf8 } from "../text/decode-utf8.js";
import { suggest } from "../text/nearest.js";
import { bodyOf, checkFolderName, parseSkillFile, toSkill } from "./skill-file.js";

/** A folder of skills, such as `.agent/skills`. */
export interface SkillFolder {
  path: string;
  /** Links must stay inside this folder. */
  root: string;
  origin: "project" | "worktree" | "user";
}

export interface FoundSkill {
  skill: Skill;
  origin: SkillFolder["origin"];
  /** The path of its SKILL.md. */
  path: string;
  /** The whole file. */
  text: string;
  /** The text below the front matter. */
  body: string;
}

export interface UnusableSkill {
  path: string;
  problem: RalphError;
}

export interface FoundSkills {
  /** Sorted by name; of two skills with the same name, that of the first folder counts. */
  skills: FoundSkill[];
  unusable: UnusableSkill[];
}

export const skillFileName = "SKILL.md";

export async function findSkills(folders: readonly SkillFolder[]): Promise<FoundSkills> {
  const skills = new Map<string, FoundSkill>();
  const unusable: UnusableSkill[] = [];
  const collecting = async <Result>(
    path: string,
    work: () => Result,
  ): Promise<Awaited<Result> | undefined> => {
    try {
      return await work();
    } catch (error) {
      const problem = fileProblem(path, error);
      if (!(problem instanceof RalphError)) throw problem;
      unusable.push({ path, problem });
      return undefined;
    }
  };
  for (const folder of folders) {
    const names = (await collecting(folder.path, () => namesIn(folder.path))) ?? [];
    if (names.length > maxFolderEntries) {
      const message = `More than ${maxFolderEntries} folders in ${folder.path}: the others are not read`;
      unusable.push({ path: folder.path, problem: new RalphError("file-unusable", message) });
    }
    for (const name of names.slice(0, maxFolderEntries)) {
      if (skills.has(name)) continue;
      const path = join(folder.path, name, skillFileName);
      const found = await collecting(path, () => findSkillIn(folder, name));
      if (found !== undefined) skills.set(name, found);
    }
  }
  const byName = [...skills.values()].sort((one, other) => (one.skill.name < other.skill.name ? -1 : 1));
  return { skills: byName, unusable };
}

/** The skill with a name, from the first folder that contains it; throws if its file is invalid. */
export async function findSkill(
  folders: readonly SkillFolder[],
  name: string,
): Promise<FoundSkill | undefined> {
  checkSkillName(name);
  for (const folder of folders) {
    const found = await findSkillIn(folder, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function skillNotFound(name: string, known: readonly string[]): RalphError {
  const hint = known.length === 0 ? '"ralph skill add" installs one' : suggest(name, known);
  return new RalphError("not-found", `Skill not found: ${name}`, { hint });
}

async function findSkillIn(folder: SkillFolder, name: string): Promise<FoundSkill | undefined> {
  const path = join(folder.path, name, skillFileName);
  checkInside(folder.root, path);
  const text = findSkillText(path);
  if (text === undefined) return undefined;
  return withPathInErrors(path, async () => {
    checkSkillName(name);
    const file = await parseSkillFile(text);
    checkFolderName(file, name);
    return { skill: toSkill(file, name), origin: folder.origin, path, text, body: bodyOf(file) };
  });
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => name)
      .filter((name) => isSkillName(name) || !name.startsWith("."))
      .sort();
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return [];
    throw fileProblem(path, error);
  }
}

export const maxSkillBytes = 1024 * 1024;

/** The text of a skill file; undefined when it does not exist. */
export function findSkillText(path: string): string | undefined {
  const stats = findStats(path);
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new RalphError("file-unusable", `Not an ordinary file: ${path}`);
  if (stats.size > maxSkillBytes) {
    const size = (stats.size / 1024 / 1024).toFixed(1);
    throw new RalphError("file-unusable", `A skill file may have up to 1 MB; ${path} has ${size} MB`, {
      hint: "move long parts into other files of its folder",
    });
  }
  const { bytes } = readFileSnapshot(path, { maxBytes: maxSkillBytes });
  return bytes && decode(bytes, path);
}

/** Adds the path to errors that do not mention it. */
export async function withPathInErrors<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RalphError) || error.message.includes(path)) throw error;
    const { code, message, hint } = error;
    throw new RalphError(code, `${path}: ${message}`, { ...(hint && { hint }), cause: error });
  }
}

function decode(bytes: Buffer, path: string): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  throw new RalphError("file-unusable", `Not a UTF-8 text file: ${path}`, {
    hint: "a skill is a Markdown file",
  });
}
