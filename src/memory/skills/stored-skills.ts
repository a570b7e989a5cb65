import { dirname, join } from "node:path";
import { checkSkillName, isSkillName, type SkillUsage } from "../../domain/knowledge/skill.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { TaskHistory } from "../../episodic/history/query-history.js";
import { reviewWork } from "../../episodic/resolutions/resolve-errors.js";
import { checkInside } from "../../files/path-inside.js";
import { replaceFile } from "../../files/replace-file.js";
import { draftSkill } from "../../procedural/draft-skill.js";
import { findInstalled, installSkill, removeDraft, writeNewFile } from "../../procedural/install-skill.js";
import { linkSkills, type SkillLink } from "../../procedural/link-skills.js";
import { matchSkills } from "../../procedural/match-skills.js";
import { renderSkill } from "../../procedural/skill-file.js";
import {
  type FoundSkill,
  findSkill,
  findSkills,
  findSkillText,
  type SkillFolder,
  skillFileName,
  skillNotFound,
} from "../../procedural/skill-folders.js";
import { fingerprint } from "../../text/fingerprint.js";
import { redact, redactDeep } from "../../text/secrets/redact.js";
import type { OpenProject } from "../project/open-project.js";
import type {
  AddedSkill,
  DraftedSkill,
  LinkSkillsInput,
  MatchedSkill,
  ShownSkill,
  StoredSkill,
} from "./skills.js";

type Usage = ReadonlyMap<string, SkillUsage>;

const folderName = "skills";
const draftsName = "skills-drafts";
const agentFolders = [join(".claude", "skills"), join(".agents", "skills")];

/** A worktree's own folder comes first: its agent works with it. */
async function foldersOf(session: OpenProject, name: string): Promise<[SkillFolder, ...SkillFolder[]]> {
  const { home, copy } = await session.place();
  const folderBeside = ({ path, origin }: typeof home): SkillFolder => {
    const folder = dirname(path);
    return { path: join(folder, name), root: origin === "user" ? folder : dirname(folder), origin };
  };
  return copy === undefined ? [folderBeside(home)] : [folderBeside(copy), folderBeside(home)];
}

/** New skills go into the folder that all worktrees share. */
async function homeOf(session: OpenProject, name: string): Promise<SkillFolder> {
  const folders = await foldersOf(session, name);
  return folders.at(-1) ?? folders[0];
}

async function findUsable(session: OpenProject): Promise<FoundSkill[]> {
  const { skills, unusable } = await findSkills(await foldersOf(session, folderName));
  for (const { path, problem } of unusable)
    session.notify({ kind: "unusable-skill", path, message: problem.message });
  return skills;
}

function toStored({ skill, path, origin }: FoundSkill, usage: Usage): StoredSkill {
  return { ...redactDeep(skill), ...(usage.get(skill.name) ?? { uses: 0, successes: 0 }), path, origin };
}

export async function listSkills(session: OpenProject, usage: Usage): Promise<StoredSkill[]> {
  return (await findUsable(session)).map((found) => toStored(found, usage));
}

export async function getSkill(
  session: OpenProject,
  name: string,
  usage: Usage,
): Promise<Omit<ShownSkill, "history">> {
  const folders = await foldersOf(session, folderName);
  const found = await findSkill(folders, name);
  if (found !== undefined) return { ...toStored(found, usage), text: redact(found.text).text };
  if ((await findSkill(await foldersOf(session, draftsName), name)) !== undefined) {
    throw new RalphError("not-found", `${name} is only a draft`, {
      hint: `read it in .agent/${draftsName}/${name}, then install it with "ralph skill add ${name}"`,
    });
  }
  const { skills } = await findSkills(folders);
  throw skillNotFound(
    name,
    skills.map(({ skill }) => skill.name),
  );
}

export async function matchStoredSkills(
  session: OpenProject,
  objective: string,
  limit: number,
  usage: Usage,
): Promise<MatchedSkill[]> {
  if (objective.trim() === "") throw new RalphError("wrong-use", "The objective is empty");
  return matchSkills(await findUsable(session), objective, limit).map(({ candidate, score, matched }) => ({
    ...toStored(candidate, usage),
    score: Math.round(score * 1000) / 1000,
    matched,
  }));
}

export async function addSkill(
  session: OpenProject,
  source: string,
  force: boolean | undefined,
): Promise<AddedSkill> {
  const draft = isSkillName(source)
    ? await findSkill(await foldersOf(session, draftsName), source)
    : undefined;
  const from = draft === undefined ? source : dirname(draft.path);
  const installed = await installSkill(from, { folders: await foldersOf(session, folderName), force });
  if (draft !== undefined) removeDraft(from, installed);
  const { skill, path, files, skipped, redacted } = installed;
  return { name: skill.name, description: skill.description, path, files, skipped, redacted };
}

export async function writeDraft(
  session: OpenProject,
  history: TaskHistory,
  name: string | undefined,
): Promise<DraftedSkill> {
  const { errors, inVain } = reviewWork(history.attempts);
  const skill = draftSkill(history, { root: session.root, name, errors, inVain });
  const installed = findInstalled(await foldersOf(session, folderName), skill.name);
  const folder = await homeOf(session, draftsName);
  const path = join(folder.path, skill.name, skillFileName);
  checkInside(folder.root, path);
  const text = renderSkill(skill);
  const drafted = { skill, path, ...(installed && { installed }) };
  if (writeNewFile(path, text)) return { ...drafted, existing: false };
  if (findSkillText(path) === text) return { ...drafted, existing: true };
  throw new RalphError("already-exists", `Another draft has this name: ${path}`, {
    hint: "choose another name with --name",
  });
}

export type PlacedSkill = "added" | "updated" | "present" | "kept" | "deleted";

/**
 * Writes the file of an imported skill, or a draft of it. Replaces an existing one only if it is unchanged since an earlier import; does
 * not restore one that was removed since.
 */
export async function placeSkill(
  session: OpenProject,
  { name, text }: { name: string; text: string },
  { isDraft, writtenDigest, dryRun }: PlaceSkillOptions,
): Promise<PlacedSkill> {
  const folder = await homeOf(session, isDraft ? draftsName : folderName);
  const path = join(folder.path, checkSkillName(name), skillFileName);
  checkInside(folder.root, path);
  const here = findSkillText(path);
  if (here === text) return "present";
  if (here === undefined && writtenDigest !== undefined) return "deleted";
  if (here !== undefined && fingerprint(here) !== writtenDigest) return "kept";
  if (!dryRun) replaceFile(path, text);
  return here === undefined ? "added" : "updated";
}

export interface PlaceSkillOptions {
  isDraft: boolean;
  /** The digest of the text written earlier. */
  writtenDigest?: string | undefined;
  dryRun: boolean;
}

export async function linkStoredSkills(
  session: OpenProject,
  { to = agentFolders, isCopy = false }: LinkSkillsInput,
): Promise<SkillLink[]> {
  const found = await findUsable(session);
  const homes = (await foldersOf(session, folderName)).map(({ path }) => path);
  const { root } = session;
  return to.flatMap((folder) => linkSkills(found, { to: folder, root, homes, isCopy }));
}
