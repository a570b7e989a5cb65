import type { Action, Milestone } from "../../../domain/tasks/action.js";
import type { Dialect, ProjectFragments } from "../../dialect.js";
import { parseStored } from "../../parse-stored.js";
import type { Sql, SqlValue } from "../../sql.js";
import { withoutNulls } from "../../without-nulls.js";
import { rowCheck } from "../checks/row-check.js";

interface ActionRow extends Omit<Action, "params" | "success"> {
  params: string;
  success: number;
}

const columns =
  "timestamp, iteration, type, tool, params, success, output, error, reasoning, expected_outcome";

const inserting = (project: ProjectFragments) =>
  `INSERT INTO actions (${project.column}attempt_key, idempotency_key, ${columns}`;

/** An action, and a key by which a second recording of it is recognised. */
export interface KeyedAction {
  action: Action;
  key: string | undefined;
}

export type Actions = ReturnType<typeof actions>;

export function actions(sql: Sql, { project, hasRowChecks }: Pick<Dialect, "project" | "hasRowChecks">) {
  const record = async (attemptKey: number, { action, key }: KeyedAction): Promise<boolean> => {
    const added = await sql.run(
      `${inserting(project)}) VALUES (${project.value}?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (${project.column}attempt_key, idempotency_key) DO NOTHING`,
      ...valuesOf(attemptKey, action, key),
    );
    return added > 0;
  };

  return {
    /** False if an action with this key is already recorded. */
    record: (attemptKey: number, action: Action, key: string | undefined) =>
      record(attemptKey, { action, key }),

    /**
     * Records many actions, in a transaction: the keys that they get are known before, so that each row is written with its check
     * value instead of twice.
     */
    async recordAll(attemptKey: number, entries: readonly KeyedAction[]): Promise<void> {
      if (!hasRowChecks) {
        await Promise.all(entries.map((entry) => record(attemptKey, entry)));
        return;
      }
      const last = await sql.get<{ key: number | null }>(
        `SELECT max(action_key) AS key FROM actions WHERE ${project.owns("actions")}`,
      );
      let next = (last?.key ?? 0) + 1;
      for (const { action, key } of entries) {
        const values = valuesOf(attemptKey, action, key);
        const all = [next, ...values];
        const row = Object.fromEntries(rowColumns.map((column, index) => [column, all[index] ?? null]));
        const added = await sql.run(
          `${inserting(project)}, action_key, row_check) VALUES (${project.value}?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (${project.column}attempt_key, idempotency_key) DO NOTHING`,
          ...values,
          next,
          rowCheck(row),
        );
        next += added;
      }
    },

    /** In the order in which they happened, which may differ from the order of arrival. */
    async list(attemptKey: number): Promise<Action[]> {
      const rows = await sql.all<ActionRow>(
        `SELECT ${columns} FROM actions WHERE ${project.owns("actions")} AND attempt_key = ? ORDER BY iteration, timestamp, action_key`,
        attemptKey,
      );
      return rows.map((row) => ({
        ...withoutNulls(row),
        params: parseStored(row.params) as Record<string, unknown>,
        success: row.success === 1,
      }));
    },

    /** The parameters and reasons of the last actions that ran a command or gave a reason, newest first. */
    async listLastWork(attemptKey: number, limit: number): Promise<Pick<Action, "params" | "reasoning">[]> {
      const rows = await sql.all<{ params: string; reasoning: string | null }>(
        `SELECT params, reasoning FROM actions
         WHERE ${project.owns("actions")} AND attempt_key = ? AND (reasoning IS NOT NULL OR params LIKE '%"command"%')
         ORDER BY action_key DESC LIMIT ?`,
        attemptKey,
        limit,
      );
      return rows.map(({ params, reasoning }) => ({
        params: parseStored(params) as Record<string, unknown>,
        ...(reasoning !== null && { reasoning }),
      }));
    },

    /** Replaces an attempt's rows by their packed form. */
    async replaceWithPacked(attemptKey: number, packed: Uint8Array): Promise<void> {
      await sql.write(
        `INSERT INTO packed_actions (${project.column}attempt_key, content) VALUES (${project.value}?, ?)`,
        attemptKey,
        packed,
      );
      await sql.write(`DELETE FROM actions WHERE ${project.owns("actions")} AND attempt_key = ?`, attemptKey);
    },

    async findPacked(attemptKey: number): Promise<Uint8Array | undefined> {
      const row = await sql.get<{ content: Uint8Array }>(
        `SELECT content FROM packed_actions WHERE ${project.owns("packed_actions")} AND attempt_key = ?`,
        attemptKey,
      );
      return row?.content;
    },

    recordMilestone: (attemptKey: number, { timestamp, event, details }: Milestone) =>
      sql.write(
        `INSERT INTO milestones (${project.column}attempt_key, timestamp, event, details) VALUES (${project.value}?, ?, ?, ?)`,
        attemptKey,
        timestamp,
        event,
        details ?? null,
      ),

    async listMilestones(attemptKey: number): Promise<Milestone[]> {
      const rows = await sql.all<Milestone>(
        `SELECT timestamp, event, details FROM milestones WHERE ${project.owns("milestones")} AND attempt_key = ? ORDER BY milestone_key`,
        attemptKey,
      );
      return rows.map(withoutNulls);
    },
  };
}

/** In the order of the table, which check values depend on. */
const rowColumns = ["action_key", "attempt_key", "idempotency_key", ...columns.split(", ")];

function valuesOf(attemptKey: number, action: Action, idempotencyKey: string | undefined): SqlValue[] {
  return [
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
  ];
}
