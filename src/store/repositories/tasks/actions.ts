import type { Action, Milestone } from "../../../domain/tasks/action.js";
import type { Dialect } from "../../dialect.js";
import { placeholders, type Sql } from "../../sql.js";
import { byAttempt, ofTask, tableOf } from "../table.js";

const columns =
  "timestamp, iteration, type, tool, params, success, output, error, reasoning, expected_outcome";

/** An action, and a key by which a second recording of it is recognised. */
export interface KeyedAction {
  action: Action;
  key: string | undefined;
}

/** What an action did, without what came of it. */
export type BriefAction = Pick<Action, "timestamp" | "iteration" | "tool" | "params" | "success">;

type OfAttempt<Record> = Record & { attempt_key: number };

export type Actions = ReturnType<typeof actions>;

export function actions(sql: Sql, dialect: Dialect) {
  const table = tableOf(sql, dialect, "actions", { json: ["params"], booleans: ["success"] });
  const packed = tableOf(sql, dialect, "packed_actions");
  const milestones = tableOf(sql, dialect, "milestones");
  const { owns } = dialect.project;
  const newestAttempt = `SELECT attempt_key FROM attempts WHERE ${owns("attempts")} AND task_number = ? ORDER BY id DESC LIMIT 1`;
  // They may arrive in another order than they happened in.
  const asHappened = "ORDER BY iteration, timestamp, action_key";
  return {
    /** Those of these keys that are recorded already in the newest attempt at a task. */
    async listKnownKeys(taskNumber: number, keys: readonly string[]): Promise<string[]> {
      const rows = await table.listIn<{ idempotency_key: string }>(
        "idempotency_key",
        "idempotency_key",
        keys,
        `AND attempt_key = (${newestAttempt})`,
        taskNumber,
      );
      return rows.map(({ idempotency_key: key }) => key);
    },

    /** Actions whose key is recorded already are left out. */
    async recordAll(attemptKey: number, entries: readonly KeyedAction[]): Promise<void> {
      for (const { action, key } of entries)
        await table.insertMissing(["attempt_key", "idempotency_key"], {
          attempt_key: attemptKey,
          idempotency_key: key,
          timestamp: action.timestamp,
          iteration: action.iteration,
          type: action.type,
          tool: action.tool,
          params: action.params,
          success: action.success,
          output: action.output,
          error: action.error,
          reasoning: action.reasoning,
          expected_outcome: action.expected_outcome,
        });
    },

    list: (attemptKey: number) =>
      table.list<Action>(columns, `AND attempt_key = ? ${asHappened}`, attemptKey),

    /** Of all attempts at a task, by attempt. */
    async listForTask(taskNumber: number): Promise<Map<number, Action[]>> {
      return byAttempt(
        await table.list<OfAttempt<Action>>(
          `attempt_key, ${columns}`,
          `${ofTask(dialect)} ${asHappened}`,
          taskNumber,
        ),
      );
    },

    /** The one that was recorded last in each of these attempts. */
    async listLastOfEach(attemptKeys: readonly number[]): Promise<Map<number, Action>> {
      const rows = await table.list<OfAttempt<Action>>(
        `attempt_key, ${columns}`,
        `AND action_key IN (SELECT max(action_key) FROM actions
           WHERE ${owns("actions")} AND attempt_key IN ${placeholders(attemptKeys)} GROUP BY attempt_key)`,
        ...attemptKeys,
      );
      return new Map(rows.map(({ attempt_key: key, ...action }) => [key, action]));
    },

    /** The parameters and reasons of the last actions that ran a command or gave a reason, newest first. */
    listLastWork: (attemptKey: number, limit: number) =>
      table.list<Pick<Action, "params" | "reasoning">>(
        "params, reasoning",
        `AND attempt_key = ? AND (reasoning IS NOT NULL OR params LIKE '%"command"%') ORDER BY action_key DESC LIMIT ?`,
        attemptKey,
        limit,
      ),

    count: (attemptKey: number) => table.count("AND attempt_key = ?", attemptKey),

    /** Without what they printed, newest first. */
    listNewest: (attemptKey: number, limit: number) =>
      table.list<BriefAction>(
        "timestamp, iteration, tool, params, success",
        "AND attempt_key = ? ORDER BY action_key DESC LIMIT ?",
        attemptKey,
        limit,
      ),

    /** Replaces an attempt's rows by their packed form. */
    async replaceWithPacked(attemptKey: number, content: Uint8Array): Promise<void> {
      await packed.insert({ attempt_key: attemptKey, content });
      await table.remove("AND attempt_key = ?", attemptKey);
    },

    async findPacked(attemptKey: number): Promise<Uint8Array | undefined> {
      const row = await packed.get<{ content: Uint8Array }>("content", "AND attempt_key = ?", attemptKey);
      return row?.content;
    },

    recordMilestone: (attemptKey: number, { timestamp, event, details }: Milestone) =>
      milestones.insert({ attempt_key: attemptKey, timestamp, event, details }),

    /** Of all attempts at a task, by attempt. */
    async listMilestonesForTask(taskNumber: number): Promise<Map<number, Milestone[]>> {
      return byAttempt(
        await milestones.list<OfAttempt<Milestone>>(
          "attempt_key, timestamp, event, details",
          `${ofTask(dialect)} ORDER BY milestone_key`,
          taskNumber,
        ),
      );
    },
  };
}
