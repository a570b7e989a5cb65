import type { Client } from "pg";
import { RalphError } from "../../../domain/ralph-error.js";
import type { Sql } from "../../sql.js";
import { versionTable } from "./upgrades.js";

export type RoleState = "made" | "present";

/** Lets a role read and write rows, and nothing else. */
export async function allowRole(client: Client, role: string): Promise<RoleState> {
  const name = `"${role.replaceAll('"', '""')}"`;
  const { rows } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
  const state = rows.length === 0 ? "made" : "present";
  if (state === "made") await makeRole(client, role, name);
  await client.query(`GRANT USAGE ON SCHEMA public TO ${name}`);
  await client.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${name}`);
  await client.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${name}`);
  const readOnly = (await isRowSecurityOn(client)) ? `${versionTable}, ${memberTable}` : versionTable;
  await client.query(`REVOKE INSERT, UPDATE, DELETE ON ${readOnly} FROM ${name}`);
  return state;
}

/** The roles that may work with the rows so far, without the owner. */
export async function listWorkingRoles(client: Client): Promise<string[]> {
  const { rows } = await client.query(
    `SELECT DISTINCT grantee.rolname AS role FROM pg_class AS tables, aclexplode(tables.relacl) AS rights
     JOIN pg_roles AS grantee ON grantee.oid = rights.grantee
     WHERE tables.oid = to_regclass('tasks') AND rights.privilege_type = 'INSERT' AND rights.grantee <> tables.relowner`,
  );
  return (rows as { role: string }[]).map(({ role }) => role);
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

/** Which role may work on which project; read by the policies of all other tables. */
export const memberTable = "project_members";

const policy = "members_only";

/** Once for each statement, not for each row: so that an index is still used to find the rows. */
const ownProjects = `project = ANY (ARRAY(SELECT own.project FROM ${memberTable} AS own))`;

/** Of roles that the user is a member of, as well. One that was dropped since is no error. */
const ownRoles = "member IN (SELECT rolname FROM pg_roles WHERE pg_has_role(pg_roles.oid, 'USAGE'))";

export async function isRowSecurityOn(client: Client): Promise<boolean> {
  const { rows } = await client.query("SELECT to_regclass($1) IS NOT NULL AS known", [memberTable]);
  return (rows[0] as { known: boolean }).known;
}

/**
 * Shows each role only the rows of projects that it is a member of, whatever it asks for. The owner of the tables sees all, and
 * decides who is a member: a role cannot make itself one, nor make a project of its own.
 */
export async function secureRows(sql: Pick<Sql, "run">, client: Client): Promise<void> {
  await sql.run(`CREATE TABLE IF NOT EXISTS ${memberTable} (
    project BIGINT NOT NULL,
    member TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (project, member)
  )`);
  await secure(sql, memberTable, `FOR SELECT USING (${ownRoles})`);
  for (const table of await listProjectTables(client)) await secure(sql, table, `USING (${ownProjects})`);
}

async function secure(sql: Pick<Sql, "run">, table: string, rule: string): Promise<void> {
  await sql.run(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`);
  await sql.run(`DROP POLICY IF EXISTS ${policy} ON ${table}`);
  await sql.run(`CREATE POLICY ${policy} ON ${table} ${rule}`);
}

/** Makes a role a member of a project, which is made if there is none of that name. */
export async function addMember(client: Client, projectKey: string, role: string): Promise<void> {
  await client.query("INSERT INTO projects (key) VALUES ($1) ON CONFLICT (key) DO NOTHING", [projectKey]);
  await client.query(
    `INSERT INTO ${memberTable} (project, member) SELECT project, $2 FROM projects WHERE key = $1
     ON CONFLICT (project, member) DO NOTHING`,
    [projectKey, role],
  );
}

async function listProjectTables(client: Client): Promise<string[]> {
  const { rows } = await client.query(
    `SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND attname = 'project' AND relname <> $1
     ORDER BY relname`,
    [memberTable],
  );
  return (rows as { name: string }[]).map(({ name }) => name);
}
