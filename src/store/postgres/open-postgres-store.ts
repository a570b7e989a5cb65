import type { Client } from "pg";
import type { Environment } from "../../domain/environment.js";
import { derivationVersion } from "../schema-version.js";
import type { StoreDescription, TransactionOptions } from "../store.js";
import { parseAddress } from "./connection/address.js";
import { connect } from "./connection/connect.js";
import { PostgresConnection } from "./connection/postgres-connection.js";
import { notMember, translatePostgresError } from "./connection/postgres-errors.js";
import type { TransactionLock } from "./connection/transaction.js";
import { postgresRepositories, type SharedRepositories } from "./postgres-repositories.js";
import { postgresRowSide, type SharedRowSide } from "./postgres-row-side.js";
import { type CreatedSchema, createSchema } from "./schema/create-schema.js";
import { refuseOtherSchema, serverVersion, versionTable } from "./schema/upgrades.js";

export interface OpenPostgresOptions {
  address: string;
  /** The repository's identity, by which all of its clones find the same memory. */
  projectKey: string;
  environment: Environment;
  /** How long to wait for the server: to connect, for each answer, and while others write. */
  connectTimeoutMs?: number;
  answerTimeoutMs?: number;
  patienceMs?: number;
  /** Called when the server is gone in the middle of the work and is waited for. */
  onWaiting?: (() => void) | undefined;
}

/** The part of a team's store that is on a server. */
export interface SharedStore extends SharedRepositories {
  /** Whether the search index was filled when the store was opened. */
  wasFilled: boolean;
  transaction<Result>(
    work: (tx: SharedRepositories) => Promise<Result>,
    options?: TransactionOptions & {
      /** Waits for all other writers of the project, or only for those of the rows that it changes. */
      lock?: TransactionLock;
    },
  ): Promise<Result>;
  withoutWaiting(): SharedRepositories;
  describe(): Promise<Omit<StoreDescription, "backups">>;
  rowSide(): SharedRowSide;
  close(): Promise<void>;
}

export async function openPostgresStore(options: OpenPostgresOptions): Promise<SharedStore> {
  const { environment, projectKey, patienceMs = 10_000, onWaiting } = options;
  const { connectTimeoutMs = 2_000, answerTimeoutMs = 20_000 } = options;
  const address = parseAddress(options.address, environment);
  const { shown } = address;
  const connectOnce = () => connect(address, { environment, connectTimeoutMs, answerTimeoutMs });
  const connection = new PostgresConnection({
    connect: connectOnce,
    makeProject: (client) => makeProject(client, projectKey),
    ...{ shown, patienceMs, onWaiting },
  });
  const { project, isFilled } = await readState(connection, projectKey, shown);
  if (project !== null) connection.useProject(project);
  return {
    wasFilled: isFilled,
    ...postgresRepositories(connection.sql),
    transaction: (work, options) => connection.transaction((sql) => work(postgresRepositories(sql)), options),
    withoutWaiting: () => postgresRepositories(connection.impatientSql),
    async describe() {
      const before = performance.now();
      const row = await connection.sql.get<{
        version: string;
        now: number;
        may_write: boolean;
        is_secured: boolean;
      }>(
        `SELECT current_setting('server_version') AS version, extract(epoch FROM clock_timestamp()) * 1000 AS now,
           has_table_privilege('actions', 'INSERT') AS may_write, row_security_active('actions') AS is_secured`,
      );
      const answerMs = performance.now() - before;
      const aheadMs = (row?.now ?? 0) - (Date.now() - answerMs / 2);
      return {
        location: shown,
        engine: `PostgreSQL ${row?.version}`,
        schemaVersion: serverVersion,
        server: {
          ...{ answerMs, aheadMs },
          mayWrite: row?.may_write ?? false,
          hasRowSecurity: row?.is_secured ?? false,
        },
      };
    },
    rowSide: () => postgresRowSide({ connection, connect: connectOnce, projectKey, shown }),
    close: () => connection.close(),
  };
}

export interface CreatePostgresOptions {
  /** Of the owner of the database. */
  address: string;
  environment: Environment;
  /** The role of daily work, which may change rows and nothing else. */
  role?: string | undefined;
  /** Each role sees only the rows of projects that it is a member of. */
  rowSecurity?: boolean | undefined;
  /** Projects that the role becomes a member of. */
  projects?: readonly string[] | undefined;
}

/** Prepares a database for Ralph, or brings it up to date. */
export async function createPostgresStore({
  address: given,
  environment,
  ...wanted
}: CreatePostgresOptions): Promise<CreatedSchema & { location: string }> {
  const address = parseAddress(given, environment);
  const { shown } = address;
  let client: Client | undefined;
  try {
    client = await connect(address, { environment, connectTimeoutMs: 5_000, answerTimeoutMs: 60_000 });
    return { ...(await createSchema(client, { shown, ...wanted })), location: shown };
  } catch (error) {
    throw translatePostgresError(error, shown);
  } finally {
    await client?.end().catch(() => undefined);
  }
}

interface StoreState {
  version: number;
  /** The project's key; null if it has not written yet. */
  project: number | null;
  isFilled: boolean;
}

/** All that must be known of a database before it is used. */
async function readState(
  connection: PostgresConnection,
  projectKey: string,
  shown: string,
): Promise<StoreState> {
  try {
    const row = await connection.impatientSql.get<StoreState>(
      `SELECT version, known.project, known.project IS NULL OR EXISTS (
           SELECT 1 FROM derivations WHERE derivations.project = known.project AND derivations.version = ?) AS "isFilled"
         FROM ${versionTable} LEFT JOIN (SELECT project FROM projects WHERE key = ?) AS known ON TRUE`,
      ...[derivationVersion, projectKey],
    );
    refuseOtherSchema(row?.version, shown);
    return row ?? { version: 0, project: null, isFilled: true };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** A new project has nothing to be indexed. */
async function makeProject(client: Client, projectKey: string): Promise<number> {
  await client.query(
    `WITH added AS (INSERT INTO projects (key) VALUES ($1) ON CONFLICT (key) DO NOTHING RETURNING project)
     INSERT INTO derivations (project, version) SELECT project, $2 FROM added`,
    [projectKey, derivationVersion],
  );
  const { rows } = await client.query("SELECT project FROM projects WHERE key = $1", [projectKey]);
  const made = rows[0] as { project: number } | undefined;
  if (made === undefined) throw notMember();
  return made.project;
}
