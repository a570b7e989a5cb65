import type { Dialect } from "../../dialect.js";
import type { Sql } from "../../sql.js";
import { tableOf } from "../table.js";

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

const columns =
  'layout, kind, foreign_id AS "foreignId", record_id AS "recordId", file, place, original, digest, imported';

export type ForeignRecords = ReturnType<typeof foreignRecords>;

export function foreignRecords(sql: Sql, dialect: Dialect) {
  const table = tableOf(sql, dialect, "foreign_records", { json: ["original"] });
  return {
    /** Replaces an earlier one with the same id. */
    save: ({ layout, kind, foreignId, recordId, file, place, original, digest, imported }: ForeignRow) =>
      table.save(["layout", "kind", "foreign_id"], {
        ...{ layout, kind, foreign_id: foreignId, record_id: recordId, file, place },
        // A text is JSON, too.
        ...{ original: original === undefined ? undefined : JSON.stringify(original), digest, imported },
      }),

    find: (layout: string, kind: string, foreignId: string) =>
      table.find<ForeignRow>(
        columns,
        "AND layout = ? AND kind = ? AND foreign_id = ?",
        layout,
        kind,
        foreignId,
      ),

    /** Those of some ids, of whichever kind. */
    listByIds: (layout: string, ids: readonly string[]) =>
      table.listIn<ForeignRow>(columns, "foreign_id", ids, "AND layout = ?", layout),

    /** What the records of a kind became here. */
    async listRecordIds(layout: string, kind: string): Promise<string[]> {
      const rows = await table.all<{ id: string }>(
        "record_id AS id",
        "AND layout = ? AND kind = ? AND record_id IS NOT NULL",
        layout,
        kind,
      );
      return rows.map(({ id }) => id);
    },

    /** All of a layout, in the order of its files. */
    list: (layout: string) =>
      table.list<ForeignRow>(columns, "AND layout = ? ORDER BY file, place, kind, foreign_id", layout),
  };
}
