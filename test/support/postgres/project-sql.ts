import pg from "pg";
import type { Sql, SqlValue } from "../../../src/store/sql.js";

/** A connection for statements of one project, past the store. */
export interface ProjectSql extends Sql {
  close(): Promise<void>;
  /** How many statements were sent, and how often it was waited for answers. */
  sent: { statements: number; trips: number };
}

const numberTypes = [20, 21, 23, 700, 701, 1700];
const types = { getTypeParser: (type: number) => (numberTypes.includes(type) ? Number : String) };

/** Statements that are sent without waiting for each other are one round trip, as with the store's own connection. */
export async function openProjectSql(url: string, project: number): Promise<ProjectSql> {
  const config = { connectionString: url, types, pipeline: true };
  const client = new pg.Client(config as never);
  await client.connect();
  const sent = { statements: 0, trips: 0 };
  let waiting = 0;

  const query = async (statement: string, values: readonly SqlValue[]) => {
    let next = 0;
    const all: SqlValue[] = [];
    const text = statement.replace(/\?|:project\b/g, (name) => {
      all.push(name === "?" ? (values[next++] as SqlValue) : project);
      return `$${all.length}`;
    });
    if (waiting === 0) sent.trips += 1;
    sent.statements += 1;
    waiting += 1;
    try {
      return await client.query(text, all);
    } finally {
      waiting -= 1;
    }
  };

  return {
    sent,
    all: async <Row>(statement: string, ...values: SqlValue[]) =>
      (await query(statement, values)).rows as Row[],
    get: async <Row>(statement: string, ...values: SqlValue[]) =>
      (await query(statement, values)).rows[0] as Row | undefined,
    run: async (statement: string, ...values: SqlValue[]) => (await query(statement, values)).rowCount ?? 0,
    write: async (statement: string, ...values: SqlValue[]) => {
      await query(statement, values);
    },
    insert: async (keyColumn: string, statement: string, ...values: SqlValue[]) =>
      ((await query(`${statement} RETURNING ${keyColumn} AS key`, values)).rows[0] as { key: number }).key,
    close: () => client.end(),
  };
}
