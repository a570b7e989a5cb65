import type { Skill, SkillUsage, SkillUse } from "../../domain/knowledge/skill.js";
import type { EpisodicContext } from "../../episodic/episodic-context.js";
import type { Project } from "../../files/find-project.js";
import type { SkillLink } from "../../procedural/link-skills.js";
import type { Notice } from "../notice.js";
import type { Place } from "../places/place.js";
import { taskNotFound } from "../tasks/task-not-found.js";

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

/** What can be done with skills. */
export interface SkillVerbs {
  /** By name. */
  listSkills(): Promise<StoredSkill[]>;
  getSkill(name: string): Promise<ShownSkill>;
  /** The skills that suit an objective, best first. */
  matchSkills(objective: string, limit?: number): Promise<MatchedSkill[]>;
  /** Installs a skill from a file, a folder or a draft. */
  addSkill(source: string, options?: { force?: boolean | undefined }): Promise<AddedSkill>;
  /** Writes a proposal from a task that succeeded; it is not installed. */
  draftSkill(taskId: string, options?: { name?: string | undefined }): Promise<DraftedSkill>;
  /** Shows the skills to agents in folders of theirs. */
  linkSkills(input?: LinkSkillsInput): Promise<SkillLink[]>;
}

/** How the verbs reach files and store; without a store, looking makes none. */
export interface SkillAccess {
  project: Project;
  place(): Promise<Place>;
  reading<Result>(
    work: (context: EpisodicContext) => Promise<Result>,
    otherwise: () => Result,
  ): Promise<Result>;
  notify(notice: Notice): void;
}

export function makeSkillVerbs(access: SkillAccess): SkillVerbs {
  const skills = () => import("./skills.js");
  const usage = () =>
    access.reading(
      ({ store }) => store.skillUses.countAll(),
      () => new Map<string, SkillUsage>(),
    );
  return {
    listSkills: async () => (await skills()).listSkills(access, await usage()),
    async getSkill(name) {
      const { getSkill } = await skills();
      const shown = await getSkill(access, name, await usage());
      const history = await access.reading(
        ({ store }) => store.skillUses.list(name),
        () => [],
      );
      return { ...shown, history };
    },
    matchSkills: async (objective, limit = 5) =>
      (await skills()).matchStoredSkills(access, objective, limit, await usage()),
    addSkill: async (source, { force } = {}) => (await skills()).addSkill(access, source, force),
    async draftSkill(taskId, { name } = {}) {
      const history = await access.reading(
        async (context) =>
          (await import("../../episodic/history/query-history.js")).queryHistory(context, taskId, {
            isFull: true,
          }),
        () => {
          throw taskNotFound(taskId);
        },
      );
      return (await skills()).writeDraft(access, history, name);
    },
    linkSkills: async (input = {}) => (await skills()).linkStoredSkills(access, input),
  };
}
