import { firstProvisional, type Task, type TaskStatus, taskIdOf } from "../../../domain/tasks/task.js";
import type { Dialect, ProjectFragments } from "../../dialect.js";
import { hasAnyLabel, labelPattern, labelText } from "../../label-text.js";
import { parseStored } from "../../parse-stored.js";
import { noLimit, placeholders, type Sql, type SqlValue } from "../../sql.js";
import { withoutNulls } from "../../without-nulls.js";

export interface StoredTask extends Task {
  number: number;
  /** Number of reflections that its next attempt starts with, if it was scaled (Ω). */
  memory_capacity?: number;
}

export interface TaskFilter {
  statuses?: readonly TaskStatus[];
  /** Matches any of them. */
  tags?: readonly string[];
  agent?: string;
  /** ISO timestamps, as in the records. */
  since?: string;
  until?: string;
  includesArchived?: boolean;
}

export type NewTask = Omit<Task, "id" | "current_attempt" | "total_attempts">;

interface TaskRow
  extends Omit<StoredTask, "id" | "tags" | "related_tasks" | "constraints" | "current_attempt"> {
  tags: string;
  related_tasks: string;
  constraints: string;
}

const columns =
  "number, uuid, description, completion_criteria, created, updated, completed, status, total_attempts, tags, related_tasks, agent, phase, constraints, memory_capacity, archived, made_by";

export type Tasks = ReturnType<typeof tasks>;

export function tasks(sql: Sql, { project }: Dialect) {
  return {
    async add(task: NewTask): Promise<StoredTask> {
      const number = await sql.insert(
        "number",
        `INSERT INTO tasks (${project.column}number, uuid, description, completion_criteria, created, updated, status,
           total_attempts, tags, tag_list, related_tasks, agent, phase, constraints, made_by)
         SELECT ${project.value}coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?
         FROM tasks WHERE ${project.owns("tasks")} AND number < ${firstProvisional}`,
        task.uuid,
        task.description,
        task.completion_criteria ?? null,
        task.created,
        task.updated,
        task.status,
        JSON.stringify(task.tags),
        labelText(task.tags),
        JSON.stringify(task.related_tasks),
        task.agent ?? null,
        task.phase ?? null,
        JSON.stringify(task.constraints),
        task.made_by ?? null,
      );
      return { ...task, number, id: taskIdOf(number), total_attempts: 0, current_attempt: 0 };
    },

    async find(number: number): Promise<StoredTask | undefined> {
      const row = await sql.get<TaskRow>(
        `SELECT ${columns} FROM tasks WHERE ${project.owns("tasks")} AND number = ?`,
        number,
      );
      return row && toTask(row);
    },

    async findByUuid(uuid: string): Promise<StoredTask | undefined> {
      const row = await sql.get<TaskRow>(
        `SELECT ${columns} FROM tasks WHERE ${project.owns("tasks")} AND uuid = ?`,
        uuid,
      );
      return row && toTask(row);
    },

    /** The task that had a provisional id before its delivery, by how its UUID begins; there may be several. */
    async listByUuidStart(start: string): Promise<StoredTask[]> {
      const rows = await sql.all<TaskRow>(
        `SELECT ${columns} FROM tasks WHERE ${project.owns("tasks")} AND uuid >= ? AND uuid < ? ORDER BY number`,
        start,
        `${start}g`,
      );
      return rows.map(toTask);
    },

    /** Those that have no number yet, oldest first. */
    async listProvisional(): Promise<StoredTask[]> {
      const rows = await sql.all<TaskRow>(
        `SELECT ${columns} FROM tasks WHERE ${project.owns("tasks")} AND number >= ${firstProvisional} ORDER BY created, number`,
      );
      return rows.map(toTask);
    },

    /** Inserts an imported task with all its fields. */
    restore: (task: Omit<StoredTask, "id" | "current_attempt">) =>
      sql.write(
        `INSERT INTO tasks (${project.column}${columns}, tag_list) VALUES (${project.value}?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        task.number,
        task.uuid,
        task.description,
        task.completion_criteria ?? null,
        task.created,
        task.updated,
        task.completed ?? null,
        task.status,
        task.total_attempts,
        JSON.stringify(task.tags),
        JSON.stringify(task.related_tasks),
        task.agent ?? null,
        task.phase ?? null,
        JSON.stringify(task.constraints),
        task.memory_capacity ?? null,
        task.archived ?? null,
        task.made_by ?? null,
        labelText(task.tags),
      ),

    /** Replaces what is said about a task, but for its number. */
    rewrite: (task: Omit<StoredTask, "id" | "current_attempt">) =>
      sql.write(
        `UPDATE tasks SET description = ?, completion_criteria = ?, updated = ?, completed = ?, status = ?, total_attempts = ?,
           tags = ?, tag_list = ?, agent = ?, phase = ?, constraints = ? WHERE ${project.owns("tasks")} AND number = ?`,
        task.description,
        task.completion_criteria ?? null,
        task.updated,
        task.completed ?? null,
        task.status,
        task.total_attempts,
        JSON.stringify(task.tags),
        labelText(task.tags),
        task.agent ?? null,
        task.phase ?? null,
        JSON.stringify(task.constraints),
        task.number,
      ),

    setRelated: (number: number, ids: readonly string[]) =>
      sql.write(
        `UPDATE tasks SET related_tasks = ? WHERE ${project.owns("tasks")} AND number = ?`,
        JSON.stringify(ids),
        number,
      ),

    /** In no particular order. */
    async listByNumbers(numbers: readonly number[]): Promise<StoredTask[]> {
      const rows = await sql.all<TaskRow>(
        `SELECT ${columns} FROM tasks WHERE ${project.owns("tasks")} AND number IN ${placeholders(numbers)}`,
        ...numbers,
      );
      return rows.map(toTask);
    },

    /** What was worked on last comes first: work of the past may be recorded later than that of today. */
    async list(filter: TaskFilter, limit = noLimit, offset = 0): Promise<StoredTask[]> {
      const { where, values } = condition(filter, project);
      const rows = await sql.all<TaskRow>(
        `SELECT ${columns} FROM tasks WHERE ${where} ORDER BY updated DESC, number DESC LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      );
      return rows.map(toTask);
    },

    async countByStatus(filter: TaskFilter): Promise<Partial<Record<TaskStatus, number>>> {
      const { where, values } = condition(filter, project);
      const rows = await sql.all<{ status: TaskStatus; count: number }>(
        `SELECT status, count(*) AS count FROM tasks WHERE ${where} GROUP BY status`,
        ...values,
      );
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    },

    /** Ids of all tasks that an unarchived task lists as related. */
    async listRelated(): Promise<Set<string>> {
      const rows = await sql.all<{ related_tasks: string }>(
        `SELECT related_tasks FROM tasks WHERE ${project.owns("tasks")} AND archived IS NULL AND related_tasks <> '[]'`,
      );
      return new Set(rows.flatMap((row) => parseStored(row.related_tasks) as string[]));
    },

    async highestNumber(): Promise<number> {
      return (
        (
          await sql.get<{ highest: number | null }>(
            `SELECT max(number) AS highest FROM tasks WHERE ${project.owns("tasks")} AND number < ${firstProvisional}`,
          )
        )?.highest ?? 0
      );
    },

    /** How many tasks this agent's attempts completed. */
    async countCompletedBy(agent: string): Promise<number> {
      const row = await sql.get<{ count: number }>(
        `SELECT count(*) AS count FROM attempts JOIN tasks ON tasks.number = attempts.task_number
         WHERE ${project.owns("attempts")} AND ${project.owns("tasks")} AND attempts.agent = ? AND attempts.id = tasks.total_attempts AND tasks.status = 'completed'`,
        agent,
      );
      return row?.count ?? 0;
    },

    /** Whether any task or attempt belongs to this agent. */
    async isAgentKnown(agent: string): Promise<boolean> {
      const row = await sql.get<{ known: number }>(
        `SELECT 1 AS known FROM tasks WHERE ${project.owns("tasks")} AND agent = ?
         UNION ALL SELECT 1 FROM attempts WHERE ${project.owns("attempts")} AND agent = ? LIMIT 1`,
        agent,
        agent,
      );
      return row !== undefined;
    },

    countAttempt: (number: number, time: string) =>
      sql.write(
        `UPDATE tasks SET total_attempts = total_attempts + 1, updated = ? WHERE ${project.owns("tasks")} AND number = ?`,
        time,
        number,
      ),

    setCapacity: (number: number, capacity: number) =>
      sql.write(
        `UPDATE tasks SET memory_capacity = ? WHERE ${project.owns("tasks")} AND number = ?`,
        capacity,
        number,
      ),

    archive: (number: number, time: string) =>
      sql.write(`UPDATE tasks SET archived = ? WHERE ${project.owns("tasks")} AND number = ?`, time, number),

    setStatus: (number: number, status: TaskStatus, time: string) =>
      sql.write(
        `UPDATE tasks SET status = ?, updated = ?, archived = NULL, completed = CASE WHEN ? = 'completed' THEN ? ELSE NULL END WHERE ${project.owns("tasks")} AND number = ?`,
        status,
        time,
        status,
        time,
        number,
      ),
  };
}

function toTask(row: TaskRow): StoredTask {
  return withoutNulls({
    ...row,
    id: taskIdOf(row.number),
    current_attempt: row.total_attempts,
    tags: parseStored(row.tags) as string[],
    related_tasks: parseStored(row.related_tasks) as string[],
    constraints: parseStored(row.constraints) as string[],
  });
}

function condition(
  { statuses, tags, agent, since, until, includesArchived = false }: TaskFilter,
  project: ProjectFragments,
): { where: string; values: SqlValue[] } {
  const parts = [project.owns("tasks")];
  const values: SqlValue[] = [];
  if (statuses !== undefined && statuses.length > 0) {
    parts.push(`status IN ${placeholders(statuses)}`);
    values.push(...statuses);
  }
  if (tags !== undefined && tags.length > 0) {
    parts.push(hasAnyLabel("tag_list", tags));
    values.push(...tags.map(labelPattern));
  }
  if (agent !== undefined) {
    parts.push(
      `(agent = ? OR EXISTS (SELECT 1 FROM attempts
         WHERE ${project.owns("attempts")} AND task_number = tasks.number AND attempts.agent = ?))`,
    );
    values.push(agent, agent);
  }
  if (since !== undefined) {
    parts.push("updated >= ?");
    values.push(since);
  }
  if (until !== undefined) {
    parts.push("updated <= ?");
    values.push(until);
  }
  if (!includesArchived) parts.push("archived IS NULL");
  return { where: parts.join(" AND "), values };
}
