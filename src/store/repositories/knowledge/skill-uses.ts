import type { SkillUsage, SkillUse } from "../../../domain/knowledge/skill.js";
import type { Dialect } from "../../dialect.js";
import type { Sql } from "../../sql.js";

interface Row extends Omit<SkillUse, "succeeded"> {
  succeeded: number;
}

export type SkillUses = ReturnType<typeof skillUses>;

/** Attempts that used a skill, and how they ended. */
export function skillUses(sql: Sql, { project }: Dialect) {
  return {
    /** An attempt counts once per skill. */
    record: ({ skill, task_id, attempt_id, succeeded, time }: SkillUse) =>
      sql.write(
        `INSERT INTO skill_uses (${project.column}skill, task_id, attempt_id, succeeded, time) VALUES (${project.value}?, ?, ?, ?, ?)
         ON CONFLICT (${project.column}skill, task_id, attempt_id) DO NOTHING`,
        skill,
        task_id,
        attempt_id,
        succeeded ? 1 : 0,
        time,
      ),

    /** Newest first. */
    async list(skill: string): Promise<SkillUse[]> {
      const rows = await sql.all<Row>(
        `SELECT skill, task_id, attempt_id, succeeded, time FROM skill_uses WHERE ${project.owns("skill_uses")} AND skill = ? ORDER BY time DESC, task_id, attempt_id`,
        skill,
      );
      return rows.map((row) => ({ ...row, succeeded: row.succeeded === 1 }));
    },

    async countAll(): Promise<Map<string, SkillUsage>> {
      const rows = await sql.all<{ skill: string } & SkillUsage>(
        `SELECT skill, count(*) AS uses, sum(succeeded) AS successes FROM skill_uses WHERE ${project.owns("skill_uses")} GROUP BY skill`,
      );
      return new Map(rows.map(({ skill, uses, successes }) => [skill, { uses, successes }]));
    },
  };
}
