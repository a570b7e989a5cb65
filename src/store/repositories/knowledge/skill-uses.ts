import type { SkillUsage, SkillUse } from "../../../domain/knowledge/skill.js";
import type { Dialect } from "../../dialect.js";
import type { Sql } from "../../sql.js";
import { tableOf } from "../table.js";

export type SkillUses = ReturnType<typeof skillUses>;

/** Attempts that used a skill, and how they ended. */
export function skillUses(sql: Sql, dialect: Dialect) {
  const table = tableOf(sql, dialect, "skill_uses", { booleans: ["succeeded"] });
  return {
    /** An attempt counts once per skill. */
    record: ({ skill, task_id, attempt_id, succeeded, time }: SkillUse) =>
      table.insertMissing(["skill", "task_id", "attempt_id"], {
        ...{ skill, task_id, attempt_id, succeeded, time },
      }),

    /** Newest first. */
    list: (skill: string) =>
      table.list<SkillUse>(
        "skill, task_id, attempt_id, succeeded, time",
        "AND skill = ? ORDER BY time DESC, task_id, attempt_id",
        skill,
      ),

    async countAll(): Promise<Map<string, SkillUsage>> {
      const rows = await table.all<{ skill: string } & SkillUsage>(
        "skill, count(*) AS uses, sum(succeeded) AS successes",
        "GROUP BY skill",
      );
      return new Map(rows.map(({ skill, uses, successes }) => [skill, { uses, successes }]));
    },
  };
}
