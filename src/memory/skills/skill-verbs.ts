import type { Skill, SkillUsage, SkillUse } from "../../domain/knowledge/skill.js";
import type { SkillLink } from "../../procedural/link-skills.js";
import type { SecretKind } from "../../text/secrets/mark.js";

/** A skill with its location and success count. */
export interface StoredSkill extends Skill, SkillUsage {
  /** Its SKILL.md. */
  path: string;
  /** The folder it was read from. */
  origin: "project" | "worktree" | "user";
}

export interface ShownSkill extends StoredSkill {
  /** The whole file. */
  text: string;
  /** The attempts that used it, newest first. */
  history: SkillUse[];
}

export interface MatchedSkill extends StoredSkill {
  /** Higher is better; only comparable within one answer. */
  score: number;
  /** The words of the objective that matched. */
  matched: string[];
}

export interface AddedSkill {
  name: string;
  description: string;
  path: string;
  files: string[];
  /** Not copied, because they are not plain files. */
  skipped: string[];
  /** Kinds of secrets that were replaced in the copy. */
  redacted: SecretKind[];
}

export interface DraftedSkill {
  skill: Skill;
  path: string;
  /** True if the same draft already existed. */
  existing: boolean;
  /** The folder of an installed skill with this name. */
  installed?: string;
}

export interface LinkSkillsInput {
  /** Project folders that agents read; `.claude/skills` and `.agents/skills` by default. */
  to?: readonly string[] | undefined;
  isCopy?: boolean | undefined;
}

/** `memory.skills`: procedures that worked. */
export interface SkillVerbs {
  /** By name. */
  list(): Promise<StoredSkill[]>;
  get(name: string): Promise<ShownSkill>;
  /** Skills that match an objective, best first. */
  match(objective: string, limit?: number): Promise<MatchedSkill[]>;
  /** Installs a skill from a file, a folder or a draft. */
  add(source: string, options?: { force?: boolean | undefined }): Promise<AddedSkill>;
  /** Drafts a skill from a successful task, without installing it. */
  draft(taskId: string, options?: { name?: string | undefined }): Promise<DraftedSkill>;
  /** Links the skills into the folders that agents read. */
  link(input?: LinkSkillsInput): Promise<SkillLink[]>;
}
