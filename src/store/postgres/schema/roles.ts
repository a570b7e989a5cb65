import type { Client } from "pg";
import { RalphError } from "../../../domain/ralph-error.js";
import { memberTable } from "./row-security.js";
import { versionTable } from "./schema-state.js";

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
  const known = await client.query("SELECT to_regclass($1) IS NOT NULL AS known", [memberTable]);
  const readOnly = (known.rows[0] as { known: boolean }).known
    ? `${versionTable}, ${memberTable}`
    : versionTable;
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
