import { firstProvisional, type Task, type TaskStatus, taskIdOf } from "../../../domain/tasks/task.js";
import type { Dialect, ProjectFragments } from "../../dialect.js";
import { noLimit, placeholders, type Sql, type SqlValue } from "../../sql.js";
import { hasAnyLabel, labelPattern, labelText, parseStored } from "../../stored-text.js";
import { tableOf } from "../table.js";

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

type WholeTask = Omit<StoredTask, "id" | "current_attempt">;

const columns =
  "number, uuid, description, completion_criteria, created, updated, completed, status, total_attempts, tags, related_tasks, agent, phase, constraints, memory_capacity, archived, made_by";

export type Tasks = ReturnType<typeof tasks>;

export function tasks(sql: Sql, dialect: Dialect) {
  const { project } = dialect;
  const table = tableOf(sql, dialect, "tasks", { json: ["tags", "related_tasks", "constraints"] });
  const select = async (rest: string, ...values: SqlValue[]): Promise<StoredTask[]> =>
    (await table.list<WholeTask>(columns, rest, ...values)).map(toTask);
  const isNumbered = `AND number < ${firstProvisional}`;

  return {
    async add(task: NewTask): Promise<StoredTask> {
      const number = await sql.insert(
        "number",
        `INSERT INTO tasks (${project.column}number, uuid, description, completion_criteria, created, updated, status,
           total_attempts, tags, tag_list, related_tasks, agent, phase, constraints, made_by)
         SELECT ${project.value}coalesce(max(number), 0) + 1, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?
         FROM tasks WHERE ${project.owns("tasks")} ${isNumbered}`,
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
      return (await select("AND number = ?", number))[0];
    },

    async findByUuid(uuid: string): Promise<StoredTask | undefined> {
      return (await select("AND uuid = ?", uuid))[0];
    },

    /** The task that had a provisional id before its delivery, by how its UUID begins; there may be several. */
    listByUuidStart: (start: string) =>
      select("AND uuid >= ? AND uuid < ? ORDER BY number", start, `${start}g`),

    /** Those that have no number yet, oldest first. */
    listProvisional: () => select(`AND number >= ${firstProvisional} ORDER BY created, number`),

    /** Inserts an imported task with all its fields. */
    restore: (task: WholeTask) =>
      table.insert({
        number: task.number,
        uuid: task.uuid,
        created: task.created,
        related_tasks: task.related_tasks,
        memory_capacity: task.memory_capacity,
        archived: task.archived,
        made_by: task.made_by,
        ...changeableOf(task),
      }),

    /** Replaces what is said about a task, but for its number. */
    rewrite: (task: WholeTask) => table.update(changeableOf(task), "AND number = ?", task.number),

    setRelated: (number: number, ids: readonly string[]) =>
      table.update({ related_tasks: ids }, "AND number = ?", number),

    /** In no particular order. */
    async listByNumbers(numbers: readonly number[]): Promise<StoredTask[]> {
      return (await table.listIn<WholeTask>(columns, "number", numbers)).map(toTask);
    },

    /** What was worked on last comes first: work of the past may be recorded later than that of today. */
    list(filter: TaskFilter, limit = noLimit, offset = 0): Promise<StoredTask[]> {
      const { rest, values } = condition(filter, project);
      return select(`${rest} ORDER BY updated DESC, number DESC LIMIT ? OFFSET ?`, ...values, limit, offset);
    },

    async countByStatus(filter: TaskFilter): Promise<Partial<Record<TaskStatus, number>>> {
      const { rest, values } = condition(filter, project);
      const rows = await table.all<{ status: TaskStatus; count: number }>(
        "status, count(*) AS count",
        `${rest} GROUP BY status`,
        ...values,
      );
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    },

    /** Ids of all tasks that an unarchived task lists as related. */
    async listRelated(): Promise<Set<string>> {
      const rows = await table.all<{ related_tasks: string }>(
        "related_tasks",
        "AND archived IS NULL AND related_tasks <> '[]'",
      );
      return new Set(rows.flatMap((row) => parseStored(row.related_tasks) as string[]));
    },

    highestNumber: () => table.highest("number", isNumbered),

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
      table.change("total_attempts = total_attempts + 1, updated = ?", "AND number = ?", time, number),

    setCapacity: (number: number, capacity: number) =>
      table.update({ memory_capacity: capacity }, "AND number = ?", number),

    archive: (number: number, time: string) => table.update({ archived: time }, "AND number = ?", number),

    setStatus: (number: number, status: TaskStatus, time: string) =>
      table.update(
        { status, updated: time, archived: undefined, completed: status === "completed" ? time : undefined },
        "AND number = ?",
        number,
      ),
  };
}

function changeableOf(task: WholeTask) {
  return {
    description: task.description,
    completion_criteria: task.completion_criteria,
    updated: task.updated,
    completed: task.completed,
    status: task.status,
    total_attempts: task.total_attempts,
    tags: task.tags,
    tag_list: labelText(task.tags),
    agent: task.agent,
    phase: task.phase,
    constraints: task.constraints,
  };
}

function toTask(row: WholeTask): StoredTask {
  return { ...row, id: taskIdOf(row.number), current_attempt: row.total_attempts };
}

function condition(
  { statuses = [], tags = [], agent, since, until, includesArchived = false }: TaskFilter,
  project: ProjectFragments,
): { rest: string; values: SqlValue[] } {
  const ofAgent = `(agent = ? OR EXISTS (SELECT 1 FROM attempts
    WHERE ${project.owns("attempts")} AND task_number = tasks.number AND attempts.agent = ?))`;
  const parts: [boolean, string, SqlValue[]][] = [
    [statuses.length > 0, `status IN ${placeholders(statuses)}`, [...statuses]],
    [tags.length > 0, hasAnyLabel("tag_list", tags), tags.map(labelPattern)],
    [agent !== undefined, ofAgent, [agent ?? "", agent ?? ""]],
    [since !== undefined, "updated >= ?", [since ?? ""]],
    [until !== undefined, "updated <= ?", [until ?? ""]],
    [!includesArchived, "archived IS NULL", []],
  ];
  const wanted = parts.filter(([isWanted]) => isWanted);
  return {
    rest: wanted.map(([, text]) => `AND ${text}`).join(" "),
    values: wanted.flatMap(([, , values]) => values),
  };
}
