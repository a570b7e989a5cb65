import type { Action, Milestone } from "../../domain/action.js";
import type { Sql } from "../sql.js";
import { withoutNulls } from "../without-nulls.js";

interface ActionRow extends Omit<Action, "params" | "success"> {
  params: string;
  success: number;
}

const columns =
  "timestamp, iteration, type, tool, params, success, output, error, reasoning, expected_outcome";

export type Actions = ReturnType<typeof actions>;

export function actions(sql: Sql) {
  return {
    /** False when an action with this key has been recorded already. */
    async record(attemptKey: number, action: Action, idempotencyKey: string | undefined): Promise<boolean> {
      const added = await sql.run(
        `INSERT INTO actions (attempt_key, idempotency_key, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (attempt_key, idempotency_key) DO NOTHING`,
        attemptKey,
        idempotencyKey ?? null,
        action.timestamp,
        action.iteration,
        action.type ?? null,
        action.tool,
        JSON.stringify(action.params),
        action.success ? 1 : 0,
        action.output ?? null,
        action.error ?? null,
        action.reasoning ?? null,
        action.expected_outcome ?? null,
      );
      return added > 0;
    },

    async list(attemptKey: number): Promise<Action[]> {
      const rows = await sql.all<ActionRow>(
        `SELECT ${columns} FROM actions WHERE attempt_key = ? ORDER BY action_key`,
        attemptKey,
      );
      return rows.map((row) => ({
        ...withoutNulls(row),
        params: JSON.parse(row.params) as Record<string, unknown>,
        success: row.success === 1,
      }));
    },

    recordMilestone: (attemptKey: number, { timestamp, event, details }: Milestone) =>
      sql.run(
        "INSERT INTO milestones (attempt_key, timestamp, event, details) VALUES (?, ?, ?, ?)",
        attemptKey,
        timestamp,
        event,
        details ?? null,
      ),

    async listMilestones(attemptKey: number): Promise<Milestone[]> {
      const rows = await sql.all<Milestone>(
        "SELECT timestamp, event, details FROM milestones WHERE attempt_key = ? ORDER BY milestone_key",
        attemptKey,
      );
      return rows.map(withoutNulls);
    },
  };
}
