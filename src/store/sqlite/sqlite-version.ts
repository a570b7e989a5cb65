import type { Sql } from "../sql.js";

export interface StoreVersion {
  schema: number;
  derivation: number;
}

/** Derivation version of a database whose derived tables are empty and have to be rebuilt. */
export const emptyDerivation = 0;

/** SQLite stores one number: the schema version in the upper digits, the derivation version in the lower ones. */
export const derivationStep = 1000;

export async function readVersion(sql: Sql): Promise<StoreVersion> {
  const version = (await sql.get<{ user_version: number }>("PRAGMA user_version"))?.user_version ?? 0;
  return { schema: Math.floor(version / derivationStep), derivation: version % derivationStep };
}

export async function writeVersion(sql: Sql, { schema, derivation }: StoreVersion): Promise<void> {
  await sql.run(`PRAGMA user_version = ${schema * derivationStep + derivation}`);
}
