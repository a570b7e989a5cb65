import type { Skill, SkillUsage, SkillUse } from "../../domain/knowledge/skill.js";
import type { SkillLink } from "../../procedural/link-skills.js";

/** A skill with where it stands and how it did. */
export interface StoredSkill extends Skill, SkillUsage {
  /** Its SKILL.md. */
  path: string;
  /** Where it was read from, when that is not the project's own folder. */
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
  /** The words of the objective that spoke for it. */
  matched: string[];
}

export interface AddedSkill {
  name: string;
  description: string;
  path: string;
  files: string[];
  /** What was not copied, because it is not a plain file. */
  skipped: string[];
}

export interface DraftedSkill {
  skill: Skill;
  path: string;
  /** The same draft was there already. */
  existing: boolean;
  /** The folder of an installed skill of that name. */
  installed?: string;
}

export interface LinkSkillsInput {
  /** Folders of the project that agents read; `.claude/skills` and `.agents/skills` by default. */
  to?: readonly string[] | undefined;
  isCopy?: boolean | undefined;
}

/** `memory.skills`: procedures that worked. */
export interface SkillVerbs {
  /** By name. */
  list(): Promise<StoredSkill[]>;
  get(name: string): Promise<ShownSkill>;
  /** The skills that suit an objective, best first. */
  match(objective: string, limit?: number): Promise<MatchedSkill[]>;
  /** Installs a skill from a file, a folder or a draft. */
  add(source: string, options?: { force?: boolean | undefined }): Promise<AddedSkill>;
  /** Drafts a skill from a task that succeeded, without installing it. */
  draft(taskId: string, options?: { name?: string | undefined }): Promise<DraftedSkill>;
  /** Shows the skills to agents in the folders that they read. */
  link(input?: LinkSkillsInput): Promise<SkillLink[]>;
}
