import type { Client } from "pg";
import { RalphError } from "../../../domain/ralph-error.js";
import { schemaVersion } from "../../schema-version.js";
import type { Sql } from "../../sql.js";
import { tooNew } from "../../too-new.js";
import { createPostgresIndex } from "../lexical/create-postgres-index.js";
import { versionTable } from "./schema-state.js";
import { createTables, upgrades } from "./tables.js";

export interface CreatedSchema {
  state: "created" | "upgraded" | "present";
  /** Of the role, if one was given. */
  roleState?: "made" | "present";
}

/** Makes the tables as the owner of the database, and lets another role work with them. Does nothing that was done before. */
export async function createSchema(
  client: Client,
  { role, shown }: { role?: string; shown: string },
): Promise<CreatedSchema> {
  const sql: Pick<Sql, "run"> = {
    run: async (statement) => (await client.query(statement)).rowCount ?? 0,
  };
  await client.query("BEGIN");
  try {
    // Two who create at the same time do it one after the other.
    await client.query("SELECT pg_advisory_xact_lock(7245301)");
    const version = await readVersion(client);
    if (version !== undefined && version > schemaVersion) throw tooNew(shown, version);
    if (version === undefined) {
      await refuseForeignTables(client, shown);
      await createTables(sql);
      await createPostgresIndex(sql);
      await sql.run(`CREATE TABLE ${versionTable} (version INTEGER NOT NULL)`);
      await sql.run(`INSERT INTO ${versionTable} (version) VALUES (${schemaVersion})`);
    } else if (version < schemaVersion) await upgrade(sql, version);
    const roleState = role === undefined ? undefined : await allow(client, role);
    await client.query("COMMIT");
    return {
      state: version === undefined ? "created" : version < schemaVersion ? "upgraded" : "present",
      ...(roleState !== undefined && { roleState }),
    };
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

async function upgrade(sql: Pick<Sql, "run">, from: number): Promise<void> {
  for (let version = from + 1; version <= schemaVersion; version += 1)
    for (const statement of upgrades.get(version) ?? []) await sql.run(statement);
  await sql.run(`UPDATE ${versionTable} SET version = ${schemaVersion}`);
}

async function readVersion(client: Client): Promise<number | undefined> {
  const { rows } = await client.query("SELECT to_regclass($1) IS NOT NULL AS known", [versionTable]);
  if (!(rows[0] as { known: boolean }).known) return undefined;
  const found = await client.query(`SELECT version FROM ${versionTable}`);
  return (found.rows[0] as { version: number } | undefined)?.version;
}

async function refuseForeignTables(client: Client, shown: string): Promise<void> {
  const { rows } = await client.query(
    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename IN ('tasks', 'runs', 'links', 'projects')",
  );
  if (rows.length === 0) return;
  throw new RalphError(
    "already-exists",
    `The database has a table ${(rows[0] as { tablename: string }).tablename} of another program: ${shown}`,
    {
      hint: "give Ralph a database of its own",
    },
  );
}

/** Reading and writing rows, and nothing else. */
async function allow(client: Client, role: string): Promise<"made" | "present"> {
  const name = `"${role.replaceAll('"', '""')}"`;
  const { rows } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
  const state = rows.length === 0 ? "made" : "present";
  if (state === "made") await makeRole(client, role, name);
  await client.query(`GRANT USAGE ON SCHEMA public TO ${name}`);
  await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`);
  await client.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${name}`);
  await client.query(`REVOKE INSERT, UPDATE, DELETE ON ${versionTable} FROM ${name}`);
  return state;
}

/** It has no password, so that none has to be passed on. */
async function makeRole(client: Client, role: string, name: string): Promise<void> {
  try {
    await client.query(`CREATE ROLE ${name} LOGIN`);
  } catch (cause) {
    throw new RalphError("not-found", `There is no role ${role}, and this user may not make one`, {
      hint: `let the administrator create it: CREATE ROLE ${name} LOGIN PASSWORD '…'`,
      cause,
    });
  }
}
