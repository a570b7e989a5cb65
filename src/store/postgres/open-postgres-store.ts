import type { Client } from "pg";
import type { Environment } from "../../domain/environment.js";
import { monotonicMs } from "../../domain/monotonic-ms.js";
import { derivationVersion, schemaVersion } from "../schema-version.js";
import type { Sql } from "../sql.js";
import type { StoreDescription, TransactionOptions } from "../store.js";
import { parseAddress } from "./connection/address.js";
import { makeConnect } from "./connection/make-connect.js";
import { PostgresConnection } from "./connection/postgres-connection.js";
import { translatePostgresError } from "./connection/postgres-errors.js";
import { postgresRepositories, type SharedRepositories } from "./postgres-repositories.js";
import { createSchema } from "./schema/create-schema.js";
import { refuseOtherSchema, versionTable } from "./schema/schema-state.js";

export interface OpenPostgresOptions {
  address: string;
  /** The repository's identity, by which all of its clones find the same memory. */
  projectKey: string;
  environment: Environment;
  /** How long to wait for the server: to connect, for each answer, and while others write. */
  connectTimeoutMs?: number;
  answerTimeoutMs?: number;
  patienceMs?: number;
}

/** The part of a team's store that is on a server. */
export interface SharedStore extends SharedRepositories {
  transaction<Result>(
    work: (tx: SharedRepositories) => Promise<Result>,
    options?: TransactionOptions,
  ): Promise<Result>;
  withoutWaiting(): SharedRepositories;
  describe(): Promise<Omit<StoreDescription, "backups">>;
  close(): Promise<void>;
}

export async function openPostgresStore(options: OpenPostgresOptions): Promise<SharedStore> {
  const {
    environment,
    projectKey,
    connectTimeoutMs = 2_000,
    answerTimeoutMs = 20_000,
    patienceMs = 10_000,
  } = options;
  const address = parseAddress(options.address, environment);
  const { shown } = address;
  const connect = makeConnect(address, { environment, connectTimeoutMs, answerTimeoutMs });
  const connection = new PostgresConnection({
    connect,
    makeProject: (client) => makeProject(client, projectKey),
    shown,
    patienceMs,
  });
  try {
    const { version, project } = await readState(connection.impatientSql, projectKey);
    refuseOtherSchema(version, shown);
    if (project !== null) connection.useProject(project);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    ...postgresRepositories(connection.sql),
    transaction: (work, options = {}) =>
      connection.transaction((sql) => work(postgresRepositories(sql)), options),
    withoutWaiting: () => postgresRepositories(connection.impatientSql),
    async describe() {
      const before = monotonicMs();
      const row = await connection.sql.get<{ version: string; now: number; may_write: boolean }>(
        `SELECT current_setting('server_version') AS version, extract(epoch FROM clock_timestamp()) * 1000 AS now,
           has_table_privilege('actions', 'INSERT') AS may_write`,
      );
      const answerMs = monotonicMs() - before;
      const aheadMs = (row?.now ?? 0) - (Date.now() - answerMs / 2);
      return {
        location: shown,
        engine: `PostgreSQL ${row?.version}`,
        schemaVersion,
        server: { answerMs, aheadMs, mayWrite: row?.may_write ?? false },
      };
    },
    close: () => connection.close(),
  };
}

export interface CreatePostgresOptions {
  /** Of the owner of the database. */
  address: string;
  environment: Environment;
  /** The role of daily work, which may change rows and nothing else. */
  role?: string;
}

/** Prepares a database for Ralph, or brings it up to date. */
export async function createPostgresStore({ address: given, environment, role }: CreatePostgresOptions) {
  const address = parseAddress(given, environment);
  try {
    const client = await makeConnect(address, {
      environment,
      connectTimeoutMs: 5_000,
      answerTimeoutMs: 60_000,
    })();
    try {
      return await createSchema(client, { shown: address.shown, ...(role !== undefined && { role }) });
    } finally {
      await client.end().catch(() => undefined);
    }
  } catch (error) {
    throw translatePostgresError(error, address.shown);
  }
}

/** The version of the tables, and the project's key if it has one, in one round trip. */
async function readState(sql: Sql, projectKey: string): Promise<{ version: number; project: number | null }> {
  const row = await sql.get<{ version: number; project: number | null }>(
    `SELECT version, (SELECT project FROM projects WHERE key = ?) AS project FROM ${versionTable}`,
    projectKey,
  );
  return row ?? { version: 0, project: null };
}

/** A new project has nothing to be indexed. */
async function makeProject(client: Client, projectKey: string): Promise<number> {
  await client.query(
    `WITH added AS (INSERT INTO projects (key) VALUES ($1) ON CONFLICT (key) DO NOTHING RETURNING project)
     INSERT INTO derivations (project, version) SELECT project, $2 FROM added`,
    [projectKey, derivationVersion],
  );
  const { rows } = await client.query("SELECT project FROM projects WHERE key = $1", [projectKey]);
  return (rows[0] as { project: number }).project;
}
