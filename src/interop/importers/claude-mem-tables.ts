import { placeholders } from "../../store/sql.js";
import type { SqliteDatabase } from "../../store/sqlite/sqlite-driver.js";
import { RecordFields } from "../fields.js";

type Row = Record<string, unknown>;
type TableName = "sdk_sessions" | "observations" | "session_summaries";

/** A session with its rows from other tables. */
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
  /** Whether the session it belongs to exists. */
  hasSession: boolean;
}

const rowsAtOnce = 500;

/** The records of some projects in the database, some rows at a time. Columns differ between versions, so they are looked up. */
export function openTables(database: SqliteDatabase, file: string, projects: readonly string[]) {
  const all = (sql: string, ...values: (string | number)[]) => database.prepare(sql).all(...values) as Row[];
  const columns = new Map<TableName, unknown[]>();
  const columnsOf = (table: TableName) => {
    const known = columns.get(table) ?? all(`PRAGMA table_info(${table})`).map(({ name }) => name);
    columns.set(table, known);
    return known;
  };
  const has = (table: TableName) => columnsOf(table).length > 0;
  const fieldsOf = (table: TableName, row: Row) => new RecordFields(row, `${file}, ${table} ${row.id}`);
  // Before version 17 of the schema it had another name.
  const sessionKey = (table: TableName) =>
    columnsOf(table).includes("memory_session_id") ? "memory_session_id" : "sdk_session_id";
  // Rows of a project that was merged into another one count as that one's.
  const ofProjects = (table: TableName) => {
    const isMerged = columnsOf(table).includes("merged_into_project");
    const project = isMerged ? "coalesce(merged_into_project, project)" : "project";
    return `${project} IN ${placeholders(projects)}`;
  };
  const ofSession = (table: TableName, id: string) =>
    has(table) ? all(`SELECT * FROM ${table} WHERE ${sessionKey(table)} = ? ORDER BY id`, id) : [];

  function* pages(table: TableName): Generator<Row[]> {
    const query = `SELECT * FROM ${table} WHERE id > ? AND ${ofProjects(table)} ORDER BY id LIMIT ${rowsAtOnce}`;
    let rows = has(table) ? all(query, -1, ...projects) : [];
    while (rows.length > 0) {
      yield rows;
      rows = all(query, Number(rows.at(-1)?.id), ...projects);
    }
  }

  function withParts(session: Row): SessionRows[] {
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
  }

  return {
    has,
    /** The number of observations of each other project. */
    otherProjects: () =>
      all(
        `SELECT project, count(*) AS observations FROM observations WHERE NOT ${ofProjects("observations")} GROUP BY project ORDER BY project`,
        ...projects,
      ) as { project: string; observations: number }[],
    /** The session of the last summary. */
    newestSession(): string | undefined {
      if (!has("session_summaries")) return undefined;
      const [row] = all(
        `SELECT ${sessionKey("session_summaries")} AS id FROM session_summaries WHERE ${ofProjects("session_summaries")} ORDER BY created_at_epoch DESC, id DESC LIMIT 1`,
        ...projects,
      );
      return row === undefined ? undefined : String(row.id);
    },
    *sessions(): Generator<SessionRows[]> {
      for (const rows of pages("sdk_sessions")) yield rows.flatMap(withParts);
    },
    *observations(): Generator<ObservationRow[]> {
      const sessions = has("sdk_sessions")
        ? all(`SELECT ${sessionKey("sdk_sessions")} AS id FROM sdk_sessions`).map(({ id }) => id)
        : [];
      const known = new Set(sessions.filter((id) => !String(id).startsWith("manual-")));
      for (const rows of pages("observations"))
        yield rows.map((original) => ({
          ...{ fields: fieldsOf("observations", original), original },
          hasSession: known.has(original[sessionKey("observations")]),
        }));
    },
  };
}
