import type { Skill, SkillUsage, SkillUse } from "../../domain/knowledge/skill.js";
import { isStoreAway } from "../../domain/ralph-error.js";
import { queryHistory } from "../../episodic/history/query-history.js";
import type { SkillLink } from "../../procedural/link-skills.js";
import type { Store } from "../../store/store.js";
import type { SecretKind } from "../../text/secrets/mark.js";
import type { OpenProject } from "../project/open-project.js";
import { taskContext } from "../project/task-context.js";
import { taskNotFound } from "../task-not-found.js";
import {
  addSkill,
  getSkill,
  linkStoredSkills,
  listSkills,
  matchStoredSkills,
  writeDraft,
} from "./stored-skills.js";

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
  /** Not copied, because they are not regular files. */
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

export function makeSkillVerbs(session: OpenProject): SkillVerbs {
  /** Skills are files: reading them must not create a database. */
  const readStore = async <Result>(
    work: (store: Store) => Promise<Result>,
    otherwise: () => Result,
  ): Promise<Result> => {
    if (!(await session.hasStore())) return otherwise();
    return session.read(({ store }) => work(store), otherwise);
  };

  const usage = () =>
    readStore(
      (store) => store.skillUses.countAll(),
      () => new Map<string, SkillUsage>(),
    );

  return {
    list: async () => listSkills(session, await usage()),
    async get(name) {
      const shown = await getSkill(session, name, await usage());
      const history = await readStore(
        (store) => store.skillUses.list(name),
        () => [],
      );
      return { ...shown, history };
    },
    match: async (objective, limit = 5) =>
      matchStoredSkills(session, objective, limit, await usage().catch(noneWhileAway)),
    add: async (source, { force } = {}) => addSkill(session, source, force),
    async draft(taskId, { name } = {}) {
      const history = await session.read(
        async (context) => queryHistory(await taskContext(session, context), taskId, { isFull: true }),
        () => {
          throw taskNotFound(taskId);
        },
      );
      return writeDraft(session, history, name);
    },
    link: async (input = {}) => linkStoredSkills(session, input),
  };
}

/** Skills are files of this machine: they are found without a team's server, which knows how often each was used. */
function noneWhileAway(error: unknown): Map<string, SkillUsage> {
  if (isStoreAway(error)) return new Map();
  throw error;
}
