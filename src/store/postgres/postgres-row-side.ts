import type { Client } from "pg";
import type { RowLoading, RowSide } from "../dump/row-side.js";
import { sharedTables } from "../dump/table-shapes.js";
import type { Sql, SqlValue } from "../sql.js";
import type { PostgresConnection } from "./connection/postgres-connection.js";
import { translatePostgresError } from "./connection/postgres-errors.js";
import { send } from "./connection/statement.js";
import { postgresDialect, postgresRepositories, type SharedRepositories } from "./postgres-repositories.js";

export interface PostgresRowSideOptions {
  connection: PostgresConnection;
  connect(): Promise<Client>;
  projectKey: string;
  /** The address, for messages. */
  shown: string;
}

/** Without the index, which also needs the other side of the store. */
export interface SharedRowSide extends Omit<RowSide, "load" | "loadAtOnce"> {
  load<Result>(work: (loading: Omit<RowLoading, "index">) => Promise<Result>): Promise<Result>;
  loadAtOnce<Result>(
    work: (loading: Omit<RowLoading, "index">, tx: SharedRepositories) => Promise<Result>,
  ): Promise<Result>;
}

export function postgresRowSide(options: PostgresRowSideOptions): SharedRowSide {
  const { connection } = options;
  return {
    engine: "postgres",
    tables: sharedTables,
    dialect: postgresDialect,
    atOneMoment: (work) => inSnapshot(options, work),
    load: (work) => work({ read: connection.sql, write: (writing) => connection.transaction(writing) }),
    loadAtOnce: (work) =>
      connection.transaction((sql) =>
        work({ read: sql, write: (writing) => writing(sql) }, postgresRepositories(sql)),
      ),
  };
}

/** On a connection of its own, which sees nothing of what is written meanwhile and keeps nobody from writing. */
async function inSnapshot<Result>(
  { connect, projectKey, shown }: PostgresRowSideOptions,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  let client: Client | undefined;
  try {
    client = await connect();
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const { rows } = await client.query("SELECT project FROM projects WHERE key = $1", [projectKey]);
    const project = (rows[0] as { project: number } | undefined)?.project ?? -1;
    return await work(readingSql(client, project));
  } catch (error) {
    throw translatePostgresError(error, shown);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

function readingSql(client: Client, project: number): Sql {
  const read = async (statement: string, values: readonly SqlValue[]) =>
    (await send(client, project, statement, values)).rows as unknown[];
  const cannot = () => Promise.reject(new Error("Rows that are only read cannot be changed"));
  return {
    all: async <Row>(statement: string, ...values: SqlValue[]) => (await read(statement, values)) as Row[],
    get: async <Row>(statement: string, ...values: SqlValue[]) =>
      (await read(statement, values))[0] as Row | undefined,
    run: cannot,
    write: cannot,
    insert: cannot,
  };
}
