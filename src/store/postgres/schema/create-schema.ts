import type { Client } from "pg";
import { RalphError } from "../../../domain/ralph-error.js";
import { tooNew } from "../../schema-version.js";
import type { Sql } from "../../sql.js";
import {
  addMember,
  allowRole,
  isRowSecurityOn,
  listWorkingRoles,
  type RoleState,
  secureRows,
} from "./access.js";
import { createTables } from "./tables.js";
import { firstVersion, serverVersion, upgrades, versionTable } from "./upgrades.js";

export interface CreateSchemaOptions {
  /** The role of daily work. */
  role?: string | undefined;
  /** Each role sees only the rows of projects that it is a member of. */
  rowSecurity?: boolean | undefined;
  /** Projects that the role becomes a member of. */
  projects?: readonly string[] | undefined;
  /** The address, for messages. */
  shown: string;
}

export interface CreatedSchema {
  state: "created" | "upgraded" | "present";
  /** Of the role, if one was given. */
  roleState?: RoleState;
  hasRowSecurity: boolean;
}

/** Makes the tables as the owner of the database, and lets another role work with them. Does nothing that was done before. */
export async function createSchema(
  client: Client,
  { role, rowSecurity = false, projects = [], shown }: CreateSchemaOptions,
): Promise<CreatedSchema> {
  const sql: Pick<Sql, "run"> = {
    run: async (statement) => (await client.query(statement)).rowCount ?? 0,
  };
  await client.query("BEGIN");
  try {
    // Two who create at the same time do it one after the other.
    await client.query("SELECT pg_advisory_xact_lock(7245301)");
    const version = await readVersion(client);
    if (version !== undefined && version > serverVersion) throw tooNew(shown, version);
    if (version === undefined) {
      await refuseForeignTables(client, shown);
      await createTables(sql);
      await sql.run(`CREATE TABLE ${versionTable} (version INTEGER NOT NULL)`);
      await sql.run(`INSERT INTO ${versionTable} (version) VALUES (${firstVersion})`);
    }
    const isOld = (version ?? firstVersion) < serverVersion;
    if (isOld) await upgrade(sql, version ?? firstVersion);
    // Tables that came with the upgrade are for the same roles, and under the same rules.
    if (isOld) for (const known of await listWorkingRoles(client)) await allowRole(client, known);
    const hasRowSecurity = rowSecurity || (await isRowSecurityOn(client));
    if (hasRowSecurity) await secureRows(sql, client);
    else if (projects.length > 0) throw needsRowSecurity();
    const roleState = role === undefined ? undefined : await allowRole(client, role);
    for (const key of projects) await addMember(client, key, role ?? "");
    await client.query("COMMIT");
    return {
      state: version === undefined ? "created" : isOld ? "upgraded" : "present",
      ...(roleState !== undefined && { roleState }),
      hasRowSecurity,
    };
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw error;
  }
}

async function upgrade(sql: Pick<Sql, "run">, from: number): Promise<void> {
  for (const { version, statements } of upgrades)
    if (version > from) for (const statement of statements) await sql.run(statement);
  await sql.run(`UPDATE ${versionTable} SET version = ${serverVersion}`);
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

function needsRowSecurity(): RalphError {
  return new RalphError("wrong-use", "Every role sees all projects here: row security is not on", {
    hint: "turn it on with --row-security",
  });
}
