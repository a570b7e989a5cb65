import type { Learning, LearningType } from "../../../domain/knowledge/learning.js";
import type { Dialect, ProjectFragments } from "../../dialect.js";
import { parseStored } from "../../parse-stored.js";
import { noLimit, placeholders, type Sql, type SqlValue, valuesPerStatement } from "../../sql.js";

/** A learning with the columns it is found by. */
export interface LearningRow {
  learning: Learning;
  /** Equal for learnings that say the same. */
  likeness: string;
  /** Sort key of queries. */
  score: number;
  checksum: string;
}

export interface LearningFilter {
  types?: readonly LearningType[];
  taskTypes?: readonly string[];
  minConfidence?: number;
  minSuccessRate?: number;
  includesSuperseded?: boolean;
  /** Whether the outcome of any task is credited to it. */
  isCredited?: boolean;
  ids?: readonly string[];
  limit?: number;
  offset?: number;
}

export interface LearningTotals {
  count: number;
  averageConfidence: number;
  averageSuccessRate: number;
  lastUpdated: string | undefined;
}

/** What may have been deleted; a finding has no id yet. */
interface SaidBefore {
  learning: Pick<Learning, "type" | "taskType"> & Partial<Pick<Learning, "id">>;
  likeness: string;
}

/** A record as stored, unparsed. */
export interface RawLearning {
  id: string;
  record: string;
  checksum: string;
}

interface Row {
  record: string;
  checksum: string;
  likeness: string;
  score: number;
}

const columns = "record, checksum, likeness, score";

export type Learnings = ReturnType<typeof learnings>;

export function learnings(sql: Sql, { project }: Dialect) {
  const saveSources = async ({ id, sourceLoops }: Learning): Promise<void> => {
    await sql.write(
      `DELETE FROM learning_sources WHERE ${project.owns("learning_sources")} AND learning_id = ?`,
      id,
    );
    for (const source of new Set(sourceLoops))
      await sql.write(
        `INSERT INTO learning_sources (${project.column}learning_id, source) VALUES (${project.value}?, ?)`,
        id,
        source,
      );
  };

  const select = async (rest: string, ...values: SqlValue[]): Promise<LearningRow[]> =>
    (
      await sql.all<Row>(
        `SELECT ${columns} FROM learnings WHERE ${project.owns("learnings")} ${rest}`,
        ...values,
      )
    ).map(toRow);

  return {
    async add(row: LearningRow): Promise<void> {
      const { id, createdAt } = row.learning;
      await sql.write(
        `INSERT INTO learnings (${project.column}id, created_at, type, task_type, likeness, confidence, success_rate, use_count, score,
           updated_at, superseded_by, record, checksum) VALUES (${project.value}?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        createdAt,
        ...valuesOf(row),
      );
      await saveSources(row.learning);
    },

    async save(row: LearningRow): Promise<void> {
      await sql.write(
        `UPDATE learnings SET type = ?, task_type = ?, likeness = ?, confidence = ?, success_rate = ?, use_count = ?, score = ?,
           updated_at = ?, superseded_by = ?, record = ?, checksum = ? WHERE ${project.owns("learnings")} AND id = ?`,
        ...valuesOf(row),
        row.learning.id,
      );
      await saveSources(row.learning);
    },

    async find(id: string): Promise<LearningRow | undefined> {
      return (await select("AND id = ?", id))[0];
    },

    /** In no particular order. */
    listByIds: (ids: readonly string[]) =>
      inParts(ids, (some) => select(`AND id IN ${placeholders(some)}`, ...some)),

    listByPrefix: (prefix: string, limit: number) =>
      select("AND id >= ? AND id < ? ORDER BY id LIMIT ?", prefix, `${prefix}\u{10ffff}`, limit),

    /** Best score first, then oldest first. */
    list: (filter: LearningFilter) => {
      const { where, values } = condition(filter, project);
      const { limit = noLimit, offset = 0, types = [] } = filter;
      const page = "ORDER BY score DESC, number LIMIT ? OFFSET ?";
      // An index has the order within a type; across types whole records would be sorted only to show a few of them.
      if (types.length === 1 || limit === noLimit)
        return select(`${where} ${page}`, ...values, limit, offset);
      return select(
        `AND number IN (SELECT number FROM learnings WHERE ${project.owns("learnings")} ${where} ${page}) ORDER BY score DESC, number`,
        ...values,
        limit,
        offset,
      );
    },

    async count(filter: LearningFilter): Promise<number> {
      const { where, values } = condition(filter, project);
      const row = await sql.get<{ count: number }>(
        `SELECT count(*) AS count FROM learnings WHERE ${project.owns("learnings")} ${where}`,
        ...values,
      );
      return row?.count ?? 0;
    },

    /** In the order of storing. */
    listAll: () => select("ORDER BY number"),

    /** The same, or only these, without parsing the records, which may be damaged. */
    listRaw: (ids?: readonly string[]) =>
      sql.all<RawLearning>(
        `SELECT id, record, checksum FROM learnings WHERE ${project.owns("learnings")} ${ids === undefined ? "" : `AND id IN ${placeholders(ids)}`} ORDER BY number`,
        ...(ids ?? []),
      ),

    /** Current ones, the last that was stored first. */
    listNewest: (limit: number) => select("AND superseded_by IS NULL ORDER BY number DESC LIMIT ?", limit),

    listSupersededBy: (id: string) => select("AND superseded_by = ? ORDER BY number", id),

    /** Those that say one of these, of whatever type, in the order of storing. */
    listByLikenesses: (likenesses: readonly string[]) =>
      inParts(likenesses, (some) => select(`AND likeness IN ${placeholders(some)} ORDER BY number`, ...some)),

    /** Those that briefs showed to a task; not those withheld from a control task. */
    listShown: (taskId: string) =>
      select(
        `AND id IN (SELECT record_id FROM brief_records JOIN briefs ON briefs.brief_key = brief_records.brief_key
           WHERE ${project.owns("brief_records")} AND ${project.owns("briefs")} AND briefs.task_id = ? AND briefs.is_holdout = 0)`,
        taskId,
      ),

    /** Current ones that come from any of these loops or tasks, best score first. */
    listBySources: async (sources: readonly string[], limit: number) =>
      sources.length === 0
        ? []
        : select(
            `AND superseded_by IS NULL AND id IN (
               SELECT learning_id FROM learning_sources WHERE ${project.owns("learning_sources")} AND source IN ${placeholders(sources)})
             ORDER BY score DESC, number LIMIT ?`,
            ...sources,
            limit,
          ),

    /** Current ones about these failures. */
    listByFailures: async (keys: readonly string[]) =>
      keys.length === 0
        ? []
        : select(
            `AND superseded_by IS NULL AND likeness IN ${placeholders(keys)}`,
            ...keys.map((key) => `failure ${key}`),
          ),

    listBySource: (source: string) =>
      select(
        `AND id IN (SELECT learning_id FROM learning_sources WHERE ${project.owns("learning_sources")} AND source = ?) ORDER BY number`,
        source,
      ),

    /** All loops and tasks that learnings of these types were drawn from. */
    async listSources(types: readonly LearningType[]): Promise<Set<string>> {
      const rows = await sql.all<{ source: string }>(
        `SELECT DISTINCT source FROM learning_sources JOIN learnings ON learnings.id = learning_sources.learning_id
         WHERE ${project.owns("learnings")} AND ${project.owns("learning_sources")} AND learnings.type IN ${placeholders(types)}`,
        ...types,
      );
      return new Set(rows.map(({ source }) => source));
    },

    async totals(): Promise<LearningTotals> {
      const row = await sql.get<{
        count: number;
        confidence: number | null;
        success: number | null;
        updated: string | null;
      }>(
        `SELECT count(*) AS count, avg(confidence) AS confidence, avg(success_rate) AS success, max(updated_at) AS updated FROM learnings WHERE ${project.owns("learnings")}`,
      );
      return {
        count: row?.count ?? 0,
        averageConfidence: row?.confidence ?? 0,
        averageSuccessRate: row?.success ?? 0,
        lastUpdated: row?.updated ?? undefined,
      };
    },

    async countBy(column: "type" | "task_type"): Promise<Record<string, number>> {
      const rows = await sql.all<{ name: string; count: number }>(
        `SELECT ${column} AS name, count(*) AS count FROM learnings WHERE ${project.owns("learnings")} GROUP BY ${column} ORDER BY ${column}`,
      );
      return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
    },

    async findMostUsed(): Promise<LearningRow | undefined> {
      return (await select("AND use_count > 0 ORDER BY use_count DESC, number LIMIT 1"))[0];
    },

    /** Deletes it and records the deletion. */
    async remove(id: string, time: string): Promise<boolean> {
      const row = (await select("AND id = ?", id))[0];
      if (row === undefined) return false;
      await sql.write(
        `DELETE FROM learning_sources WHERE ${project.owns("learning_sources")} AND learning_id = ?`,
        id,
      );
      await sql.write(`DELETE FROM learnings WHERE ${project.owns("learnings")} AND id = ?`, id);
      await sql.write(
        `INSERT INTO deleted_learnings (${project.column}id, likeness, time) VALUES (${project.value}?, ?, ?)
         ON CONFLICT (${project.column}id) DO UPDATE SET likeness = excluded.likeness, time = excluded.time`,
        id,
        saidBy(row.learning, row.likeness),
        time,
      );
      return true;
    },

    /** Deletes all learnings, and the records of earlier deletions. */
    async removeAll(): Promise<void> {
      for (const table of ["learning_sources", "learnings", "deleted_learnings"])
        await sql.write(`DELETE FROM ${table} WHERE ${project.owns(table)}`);
    },

    /** Whether this record, or one that says the same, was deleted. */
    async wasDeleted({ learning, likeness }: SaidBefore): Promise<boolean> {
      const row = await sql.get<{ id: string }>(
        `SELECT id FROM deleted_learnings WHERE ${project.owns("deleted_learnings")} AND (id = ? OR likeness IN (?, ?)) LIMIT 1`,
        learning.id ?? "",
        saidBy(learning, likeness),
        // As earlier versions recorded it.
        `${learning.type} ${learning.taskType} ${likeness}`,
      );
      return row !== undefined;
    },

    forgetDeleted: (id: string) =>
      sql.write(`DELETE FROM deleted_learnings WHERE ${project.owns("deleted_learnings")} AND id = ?`, id),
  };
}

/** Drivers limit the number of values in a statement; in no particular order. */
async function inParts(
  values: readonly string[],
  read: (some: readonly string[]) => Promise<LearningRow[]>,
): Promise<LearningRow[]> {
  const rows: Promise<LearningRow[]>[] = [];
  for (let at = 0; at < values.length; at += valuesPerStatement)
    rows.push(read(values.slice(at, at + valuesPerStatement)));
  return (await Promise.all(rows)).flat();
}

/** The same for all task types, except for estimates. */
function saidBy({ type, taskType }: Pick<Learning, "type" | "taskType">, likeness: string): string {
  return `${type} ${type === "estimate" ? taskType : "any"} ${likeness}`;
}

function valuesOf({ learning, likeness, score, checksum }: LearningRow): SqlValue[] {
  return [
    learning.type,
    learning.taskType,
    likeness,
    learning.confidence,
    learning.successRate,
    learning.useCount,
    score,
    learning.updatedAt,
    learning.superseded_by ?? null,
    JSON.stringify(learning),
    checksum,
  ];
}

function toRow({ record, checksum, likeness, score }: Row): LearningRow {
  return { learning: parseRecord(record), checksum, likeness, score };
}

function parseRecord(record: string): Learning {
  return parseStored(record) as Learning;
}

function condition(filter: LearningFilter, project: ProjectFragments): { where: string; values: SqlValue[] } {
  const { types = [], taskTypes = [], minConfidence, minSuccessRate, includesSuperseded = false } = filter;
  const parts = includesSuperseded ? [] : ["superseded_by IS NULL"];
  if (filter.isCredited !== undefined)
    parts.push(
      `${filter.isCredited ? "" : "NOT "}EXISTS (SELECT 1 FROM credits WHERE ${project.owns("credits")} AND record_id = learnings.id)`,
    );
  const values: SqlValue[] = [];
  if (filter.ids !== undefined) {
    // No list of values may be empty.
    parts.push(filter.ids.length === 0 ? "1 = 0" : `id IN ${placeholders(filter.ids)}`);
    values.push(...filter.ids);
  }
  if (types.length > 0) {
    parts.push(`type IN ${placeholders(types)}`);
    values.push(...types);
  }
  if (taskTypes.length > 0) {
    parts.push(`task_type IN ${placeholders(taskTypes)}`);
    values.push(...taskTypes);
  }
  if (minConfidence !== undefined) {
    parts.push("confidence >= ?");
    values.push(minConfidence);
  }
  if (minSuccessRate !== undefined) {
    parts.push("success_rate >= ?");
    values.push(minSuccessRate);
  }
  return { where: parts.map((part) => `AND ${part}`).join(" "), values };
}
