import type { Dialect } from "../../dialect.js";
import { parseStored } from "../../parse-stored.js";
import { placeholders, type Sql, valuesPerStatement } from "../../sql.js";

/** What a record of another tool became here, and how it was written there. */
export interface ForeignRow {
  /** The tool's layout of files. */
  layout: string;
  kind: string;
  /** Its id there; unique among those of its layout and kind. */
  foreignId: string;
  /** Undefined if there is no such record here: only the original is kept. */
  recordId?: string | undefined;
  /** Relative to the folder that was imported, with slashes. */
  file: string;
  /** Its place among the records of its file. */
  place: number;
  /** The JSON value that it was; a text for a file that is none. Undefined if it is part of another record's. */
  original?: unknown;
  /** Tells whether the record here is still as it came in; of records that do not tell when they were changed. */
  digest?: string | undefined;
  imported: string;
}

interface Row {
  layout: string;
  kind: string;
  foreign_id: string;
  record_id: string | null;
  file: string;
  place: number;
  original: string | null;
  digest: string | null;
  imported: string;
}

const columns = "layout, kind, foreign_id, record_id, file, place, original, digest, imported";

export type ForeignRecords = ReturnType<typeof foreignRecords>;

export function foreignRecords(sql: Sql, { project }: Dialect) {
  const owns = project.owns("foreign_records");
  return {
    /** Replaces an earlier one with the same id. */
    save: ({ layout, kind, foreignId, recordId, file, place, original, digest, imported }: ForeignRow) =>
      sql.write(
        `INSERT INTO foreign_records (${project.column}${columns}) VALUES (${project.value}?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (${project.column}layout, kind, foreign_id) DO UPDATE SET record_id = excluded.record_id,
           file = excluded.file, place = excluded.place, original = excluded.original, digest = excluded.digest, imported = excluded.imported`,
        layout,
        kind,
        foreignId,
        recordId ?? null,
        file,
        place,
        original === undefined ? null : JSON.stringify(original),
        digest ?? null,
        imported,
      ),

    async find(layout: string, kind: string, foreignId: string): Promise<ForeignRow | undefined> {
      const row = await sql.get<Row>(
        `SELECT ${columns} FROM foreign_records WHERE ${owns} AND layout = ? AND kind = ? AND foreign_id = ?`,
        layout,
        kind,
        foreignId,
      );
      return row && toForeignRow(row);
    },

    /** Those of some ids, of whichever kind. */
    async listByIds(layout: string, ids: readonly string[]): Promise<ForeignRow[]> {
      const found: ForeignRow[] = [];
      for (let at = 0; at < ids.length; at += valuesPerStatement) {
        const some = ids.slice(at, at + valuesPerStatement);
        const rows = await sql.all<Row>(
          `SELECT ${columns} FROM foreign_records WHERE ${owns} AND layout = ? AND foreign_id IN ${placeholders(some)}`,
          layout,
          ...some,
        );
        found.push(...rows.map(toForeignRow));
      }
      return found;
    },

    /** What the records of a kind became here. */
    async listRecordIds(layout: string, kind: string): Promise<string[]> {
      const rows = await sql.all<{ record_id: string }>(
        `SELECT record_id FROM foreign_records WHERE ${owns} AND layout = ? AND kind = ? AND record_id IS NOT NULL`,
        layout,
        kind,
      );
      return rows.map(({ record_id: id }) => id);
    },

    /** All of a layout, in the order of its files. */
    async list(layout: string): Promise<ForeignRow[]> {
      const rows = await sql.all<Row>(
        `SELECT ${columns} FROM foreign_records WHERE ${owns} AND layout = ? ORDER BY file, place, kind, foreign_id`,
        layout,
      );
      return rows.map(toForeignRow);
    },
  };
}

function toForeignRow({ foreign_id, record_id, original, digest, ...row }: Row): ForeignRow {
  return {
    ...row,
    foreignId: foreign_id,
    ...(record_id !== null && { recordId: record_id }),
    ...(original !== null && { original: parseStored(original) }),
    ...(digest !== null && { digest }),
  };
}
