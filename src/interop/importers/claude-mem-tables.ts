import { placeholders } from "../../store/sql.js";
import type { SqliteDatabase } from "../../store/sqlite/sqlite-driver.js";
import { RecordFields } from "../fields.js";

/** A session with its rows in other tables. */
export interface SessionRows {
  id: string;
  fields: RecordFields;
  summaries: RecordFields[];
  observations: RecordFields[];
  original: unknown;
}

export interface ObservationRow {
  fields: RecordFields;
  original: Row;
  /** Whether there is a session that it belongs to. */
  hasSession: boolean;
}

/** What the database has of some projects, some rows at a time. */
export interface MemoryTables {
  has(table: TableName): boolean;
  /** How many observations there are of each other project. */
  otherProjects(): { project: string; observations: number }[];
  /** The session of the last summary. */
  newestSession(): string | undefined;
  sessions(): Generator<SessionRows[]>;
  observations(): Generator<ObservationRow[]>;
}

type Row = Record<string, unknown>;
type TableName = "sdk_sessions" | "observations" | "session_summaries";

const rowsAtOnce = 500;

/** Versions differ in their columns, so these are looked up. */
export function openTables(
  database: SqliteDatabase,
  file: string,
  projects: readonly string[],
): MemoryTables {
  const all = (sql: string, ...values: (string | number)[]) => database.prepare(sql).all(...values) as Row[];
  const columnsOf = (table: TableName) => all(`PRAGMA table_info(${table})`).map(({ name }) => name);
  const columns = {
    sdk_sessions: columnsOf("sdk_sessions"),
    observations: columnsOf("observations"),
    session_summaries: columnsOf("session_summaries"),
  };
  const has = (table: TableName) => columns[table].length > 0;
  const fieldsOf = (table: TableName, row: Row) => new RecordFields(row, `${file}, ${table} ${row.id}`);
  // Before version 17 of its schema it had another name.
  const sessionKey = (table: TableName) =>
    columns[table].includes("memory_session_id") ? "memory_session_id" : "sdk_session_id";
  /** Rows of a project that was merged into another one count as the other's. */
  const ofProjects = (table: TableName): { condition: string; values: readonly string[] } => {
    const isIn = placeholders(projects);
    return columns[table].includes("merged_into_project")
      ? { condition: `coalesce(merged_into_project, project) IN ${isIn}`, values: projects }
      : { condition: `project IN ${isIn}`, values: projects };
  };
  const ofSession = (table: TableName, id: string) =>
    has(table) ? all(`SELECT * FROM ${table} WHERE ${sessionKey(table)} = ? ORDER BY id`, id) : [];
  function* pages(table: TableName): Generator<Row[]> {
    const { condition, values } = ofProjects(table);
    const query = `SELECT * FROM ${table} WHERE id > ? AND ${condition} ORDER BY id LIMIT ${rowsAtOnce}`;
    for (let last = -1; ; ) {
      const rows = all(query, last, ...values);
      if (rows.length === 0) return;
      yield rows;
      last = Number(rows.at(-1)?.id);
    }
  }
  const withParts = (session: Row): SessionRows[] => {
    const id = session[sessionKey("sdk_sessions")];
    if (typeof id !== "string") return [];
    const summaries = ofSession("session_summaries", id);
    return [
      {
        ...{ id, fields: fieldsOf("sdk_sessions", session), original: { session, summaries } },
        summaries: summaries.map((row) => fieldsOf("session_summaries", row)),
        observations: ofSession("observations", id).map((row) => fieldsOf("observations", row)),
      },
    ];
  };
  return {
    has,
    otherProjects() {
      const { condition, values } = ofProjects("observations");
      return all(
        `SELECT project, count(*) AS observations FROM observations WHERE NOT ${condition} GROUP BY project ORDER BY project`,
        ...values,
      ) as { project: string; observations: number }[];
    },
    newestSession() {
      if (!has("session_summaries")) return undefined;
      const { condition, values } = ofProjects("session_summaries");
      const key = sessionKey("session_summaries");
      const [row] = all(
        `SELECT ${key} AS id FROM session_summaries WHERE ${condition} ORDER BY created_at_epoch DESC, id DESC LIMIT 1`,
        ...values,
      );
      return row === undefined ? undefined : String(row.id);
    },
    *sessions() {
      if (has("sdk_sessions")) for (const rows of pages("sdk_sessions")) yield rows.flatMap(withParts);
    },
    *observations() {
      const key = sessionKey("observations");
      const sessions = has("sdk_sessions")
        ? all(`SELECT ${sessionKey("sdk_sessions")} AS id FROM sdk_sessions`).map(({ id }) => id)
        : [];
      const known = new Set(sessions.filter((id) => !String(id).startsWith("manual-")));
      for (const rows of pages("observations"))
        yield rows.map((original) => ({
          ...{ fields: fieldsOf("observations", original), original },
          hasSession: known.has(original[key]),
        }));
    },
  };
}
