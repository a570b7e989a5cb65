import type { Action, Milestone } from "../../../domain/tasks/action.js";
import type { Dialect } from "../../dialect.js";
import { parseStored } from "../../parse-stored.js";
import { placeholders, type Sql, type SqlValue, valuesPerStatement } from "../../sql.js";
import { withoutNulls } from "../../without-nulls.js";
import { type AttemptKey, byAttempt, ofTask } from "./by-attempt.js";

interface ActionRow extends Omit<Action, "params" | "success"> {
  params: string;
  success: number;
}

const columns =
  "timestamp, iteration, type, tool, params, success, output, error, reasoning, expected_outcome";

/** An action, and a key by which a second recording of it is recognised. */
export interface KeyedAction {
  action: Action;
  key: string | undefined;
}

/** What an action did, without what came of it. */
export type BriefAction = Pick<Action, "timestamp" | "iteration" | "tool" | "params" | "success">;

export type Actions = ReturnType<typeof actions>;

export function actions(sql: Sql, { project }: Dialect) {
  return {
    /** Those of these keys that are recorded already in the newest attempt at a task. */
    async listKnownKeys(taskNumber: number, keys: readonly string[]): Promise<string[]> {
      const rows: { idempotency_key: string }[] = [];
      for (let at = 0; at < keys.length; at += valuesPerStatement) {
        const some = keys.slice(at, at + valuesPerStatement);
        rows.push(
          ...(await sql.all<{ idempotency_key: string }>(
            `SELECT idempotency_key FROM actions WHERE ${project.owns("actions")} AND attempt_key =
               (SELECT attempt_key FROM attempts WHERE ${project.owns("attempts")} AND task_number = ? ORDER BY id DESC LIMIT 1)
             AND idempotency_key IN ${placeholders(some)}`,
            taskNumber,
            ...some,
          )),
        );
      }
      return rows.map(({ idempotency_key: key }) => key);
    },

    /** Actions whose key is recorded already are left out. */
    async recordAll(attemptKey: number, entries: readonly KeyedAction[]): Promise<void> {
      for (const { action, key } of entries)
        await sql.write(
          `INSERT INTO actions (${project.column}attempt_key, idempotency_key, ${columns})
           VALUES (${project.value}?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (${project.column}attempt_key, idempotency_key) DO NOTHING`,
          ...valuesOf(attemptKey, action, key),
        );
    },

    /** In the order in which they happened, which may differ from the order of arrival. */
    async list(attemptKey: number): Promise<Action[]> {
      const rows = await sql.all<ActionRow>(
        `SELECT ${columns} FROM actions WHERE ${project.owns("actions")} AND attempt_key = ? ORDER BY iteration, timestamp, action_key`,
        attemptKey,
      );
      return rows.map(toAction);
    },

    /** Of all attempts at a task, by attempt. */
    async listForTask(taskNumber: number): Promise<Map<number, Action[]>> {
      const rows = await sql.all<ActionRow & AttemptKey>(
        `SELECT attempt_key, ${columns} FROM actions WHERE ${project.owns("actions")} AND ${ofTask(project)} ORDER BY iteration, timestamp, action_key`,
        taskNumber,
      );
      return byAttempt(rows, toAction);
    },

    /** The one that was recorded last in each of these attempts. */
    async listLastOfEach(attemptKeys: readonly number[]): Promise<Map<number, Action>> {
      const rows = await sql.all<ActionRow & AttemptKey>(
        `SELECT attempt_key, ${columns} FROM actions WHERE ${project.owns("actions")} AND action_key IN (
           SELECT max(action_key) FROM actions
           WHERE ${project.owns("actions")} AND attempt_key IN ${placeholders(attemptKeys)} GROUP BY attempt_key)`,
        ...attemptKeys,
      );
      return new Map(rows.map(({ attempt_key: key, ...row }) => [key, toAction(row)]));
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

    async count(attemptKey: number): Promise<number> {
      const row = await sql.get<{ count: number }>(
        `SELECT count(*) AS count FROM actions WHERE ${project.owns("actions")} AND attempt_key = ?`,
        attemptKey,
      );
      return row?.count ?? 0;
    },

    /** Without what they printed, newest first. */
    async listNewest(attemptKey: number, limit: number): Promise<BriefAction[]> {
      const rows = await sql.all<
        Omit<BriefAction, "params" | "success"> & { params: string; success: number }
      >(
        `SELECT timestamp, iteration, tool, params, success FROM actions
         WHERE ${project.owns("actions")} AND attempt_key = ? ORDER BY action_key DESC LIMIT ?`,
        attemptKey,
        limit,
      );
      return rows.map((row) => ({
        ...row,
        params: parseStored(row.params) as Action["params"],
        success: row.success === 1,
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

    /** Of all attempts at a task, by attempt. */
    async listMilestonesForTask(taskNumber: number): Promise<Map<number, Milestone[]>> {
      const rows = await sql.all<Milestone & AttemptKey>(
        `SELECT attempt_key, timestamp, event, details FROM milestones WHERE ${project.owns("milestones")} AND ${ofTask(project)} ORDER BY milestone_key`,
        taskNumber,
      );
      return byAttempt(rows, withoutNulls);
    },
  };
}

function toAction(row: ActionRow): Action {
  return {
    ...withoutNulls(row),
    params: parseStored(row.params) as Record<string, unknown>,
    success: row.success === 1,
  };
}

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
