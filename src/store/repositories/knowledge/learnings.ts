import type { Learning, LearningType } from "../../../domain/knowledge/learning.js";
import type { Dialect, ProjectFragments } from "../../dialect.js";
import { noLimit, placeholders, type Sql, type SqlValue } from "../../sql.js";
import { tableOf } from "../table.js";

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

const columns = "record AS learning, checksum, likeness, score";

export type Learnings = ReturnType<typeof learnings>;

export function learnings(sql: Sql, dialect: Dialect) {
  const { project } = dialect;
  const table = tableOf(sql, dialect, "learnings", { json: ["learning"] });
  const sources = tableOf(sql, dialect, "learning_sources");
  const deleted = tableOf(sql, dialect, "deleted_learnings");

  const saveSources = async ({ id, sourceLoops }: Learning): Promise<void> => {
    await sources.remove("AND learning_id = ?", id);
    for (const source of new Set(sourceLoops)) await sources.insert({ learning_id: id, source });
  };
  const select = (rest: string, ...values: SqlValue[]) => table.list<LearningRow>(columns, rest, ...values);
  const selectIn = (column: string, values: readonly string[], rest = "") =>
    table.listIn<LearningRow>(columns, column, values, rest);

  return {
    async add(row: LearningRow): Promise<void> {
      const { id, createdAt } = row.learning;
      await table.insert({ id, created_at: createdAt, ...valuesOf(row) });
      await saveSources(row.learning);
    },

    async save(row: LearningRow): Promise<void> {
      await table.update(valuesOf(row), "AND id = ?", row.learning.id);
      await saveSources(row.learning);
    },

    find: (id: string) => table.find<LearningRow>(columns, "AND id = ?", id),

    /** In no particular order. */
    listByIds: (ids: readonly string[]) => selectIn("id", ids),

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

    count(filter: LearningFilter): Promise<number> {
      const { where, values } = condition(filter, project);
      return table.count(where, ...values);
    },

    /** In the order of storing. */
    listAll: () => select("ORDER BY number"),

    /** The same, or only these, without parsing the records, which may be damaged. */
    listRaw: (ids?: readonly string[]) =>
      table.all<RawLearning>(
        "id, record, checksum",
        `${ids === undefined ? "" : `AND id IN ${placeholders(ids)}`} ORDER BY number`,
        ...(ids ?? []),
      ),

    /** Current ones, the last that was stored first. */
    listNewest: (limit: number) => select("AND superseded_by IS NULL ORDER BY number DESC LIMIT ?", limit),

    listSupersededBy: (id: string) => select("AND superseded_by = ? ORDER BY number", id),

    /** Those that say one of these, of whatever type, in the order of storing. */
    listByLikenesses: (likenesses: readonly string[]) => selectIn("likeness", likenesses, "ORDER BY number"),

    /** Those that briefs showed to a task; not those withheld from a control task. */
    listShown: (taskId: string) =>
      select(
        `AND id IN (SELECT record_id FROM brief_records JOIN briefs ON briefs.brief_key = brief_records.brief_key
           WHERE ${project.owns("brief_records")} AND ${project.owns("briefs")} AND briefs.task_id = ? AND briefs.is_holdout = 0)`,
        taskId,
      ),

    /** Current ones that come from any of these loops or tasks, best score first. */
    listBySources: async (from: readonly string[], limit: number) =>
      from.length === 0
        ? []
        : select(
            `AND superseded_by IS NULL AND id IN (
               SELECT learning_id FROM learning_sources WHERE ${project.owns("learning_sources")} AND source IN ${placeholders(from)})
             ORDER BY score DESC, number LIMIT ?`,
            ...from,
            limit,
          ),

    /** Current ones about these failures. */
    listByFailures: (keys: readonly string[]) =>
      selectIn(
        "likeness",
        keys.map((key) => `failure ${key}`),
        "AND superseded_by IS NULL",
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
      const totals = await table.find<Partial<LearningTotals>>(
        `count(*) AS count, avg(confidence) AS "averageConfidence", avg(success_rate) AS "averageSuccessRate", max(updated_at) AS "lastUpdated"`,
        "",
      );
      return { count: 0, averageConfidence: 0, averageSuccessRate: 0, lastUpdated: undefined, ...totals };
    },

    async countBy(column: "type" | "task_type"): Promise<Record<string, number>> {
      const rows = await table.all<{ name: string; count: number }>(
        `${column} AS name, count(*) AS count`,
        `GROUP BY ${column} ORDER BY ${column}`,
      );
      return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
    },

    findMostUsed: () =>
      table.find<LearningRow>(columns, "AND use_count > 0 ORDER BY use_count DESC, number LIMIT 1"),

    /** Deletes it and records the deletion. */
    async remove(id: string, time: string): Promise<boolean> {
      const row = await table.find<LearningRow>(columns, "AND id = ?", id);
      if (row === undefined) return false;
      await sources.remove("AND learning_id = ?", id);
      await table.remove("AND id = ?", id);
      await deleted.save(["id"], { id, likeness: saidBy(row.learning, row.likeness), time });
      return true;
    },

    /** Deletes all learnings, and the records of earlier deletions. */
    async removeAll(): Promise<void> {
      for (const each of [sources, table, deleted]) await each.remove();
    },

    /** Whether this record, or one that says the same, was deleted. */
    async wasDeleted({ learning, likeness }: SaidBefore): Promise<boolean> {
      const row = await deleted.get(
        "id",
        "AND (id = ? OR likeness IN (?, ?)) LIMIT 1",
        learning.id ?? "",
        saidBy(learning, likeness),
        // As earlier versions recorded it.
        `${learning.type} ${learning.taskType} ${likeness}`,
      );
      return row !== undefined;
    },

    forgetDeleted: (id: string) => deleted.remove("AND id = ?", id),
  };
}

/** The same for all task types, except for estimates. */
function saidBy({ type, taskType }: Pick<Learning, "type" | "taskType">, likeness: string): string {
  return `${type} ${type === "estimate" ? taskType : "any"} ${likeness}`;
}

function valuesOf({ learning, likeness, score, checksum }: LearningRow) {
  return {
    type: learning.type,
    task_type: learning.taskType,
    likeness,
    confidence: learning.confidence,
    success_rate: learning.successRate,
    use_count: learning.useCount,
    score,
    updated_at: learning.updatedAt,
    superseded_by: learning.superseded_by,
    record: learning,
    checksum,
  };
}

function condition(filter: LearningFilter, project: ProjectFragments): { where: string; values: SqlValue[] } {
  const { types = [], taskTypes = [], ids, minConfidence, minSuccessRate, isCredited } = filter;
  const hasCredit = `EXISTS (SELECT 1 FROM credits WHERE ${project.owns("credits")} AND record_id = learnings.id)`;
  // No list of values may be empty.
  const isNamed = ids?.length === 0 ? "1 = 0" : `id IN ${placeholders(ids ?? [])}`;
  const parts: [boolean, string, SqlValue[]][] = [
    [filter.includesSuperseded !== true, "superseded_by IS NULL", []],
    [isCredited !== undefined, `${isCredited ? "" : "NOT "}${hasCredit}`, []],
    [ids !== undefined, isNamed, [...(ids ?? [])]],
    [types.length > 0, `type IN ${placeholders(types)}`, [...types]],
    [taskTypes.length > 0, `task_type IN ${placeholders(taskTypes)}`, [...taskTypes]],
    [minConfidence !== undefined, "confidence >= ?", [minConfidence ?? 0]],
    [minSuccessRate !== undefined, "success_rate >= ?", [minSuccessRate ?? 0]],
  ];
  const wanted = parts.filter(([isWanted]) => isWanted);
  return {
    where: wanted.map(([, text]) => `AND ${text}`).join(" "),
    values: wanted.flatMap(([, , values]) => values),
  };
}
