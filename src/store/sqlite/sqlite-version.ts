import type { Sql } from "../sql.js";

export interface StoreVersion {
  schema: number;
  derivation: number;
}

/** The derivation of a database whose derived part is empty and has to be filled. */
export const emptied = 0;

/** SQLite keeps one number for us: the schema's version in its upper digits, that of what is derived in the lower ones. */
const derivationStep = 1000;

export async function readVersion(sql: Sql): Promise<StoreVersion> {
  const version = (await sql.get<{ user_version: number }>("PRAGMA user_version"))?.user_version ?? 0;
  return { schema: Math.floor(version / derivationStep), derivation: version % derivationStep };
}

export async function writeVersion(sql: Sql, { schema, derivation }: StoreVersion): Promise<void> {
  await sql.run(`PRAGMA user_version = ${schema * derivationStep + derivation}`);
}
