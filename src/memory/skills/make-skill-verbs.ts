import type { SkillUsage } from "../../domain/knowledge/skill.js";
import { lazyModule } from "../../domain/lazy-module.js";
import type { Store } from "../../store/store.js";
import type { OpenProject } from "../project/open-project.js";
import { taskContext } from "../project/task-context.js";
import { taskNotFound } from "../task-not-found.js";
import type { SkillVerbs } from "./skill-verbs.js";
import { addSkill, getSkill, linkStoredSkills, listSkills, matchStoredSkills, writeDraft } from "./skills.js";

const histories = lazyModule(() => import("../../episodic/history/query-history.js"));

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
    match: async (objective, limit = 5) => matchStoredSkills(session, objective, limit, await usage()),
    add: async (source, { force } = {}) => addSkill(session, source, force),
    async draft(taskId, { name } = {}) {
      const history = await session.read(
        async (shelf) => histories.queryHistory(await taskContext(session, shelf), taskId, { isFull: true }),
        () => {
          throw taskNotFound(taskId);
        },
      );
      return writeDraft(session, history, name);
    },
    link: async (input = {}) => linkStoredSkills(session, input),
  };
}
