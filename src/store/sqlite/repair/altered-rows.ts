import {
  type CheckedRow,
  checkedTables,
  isRowIntact,
  isRowReadable,
} from "../../repositories/checks/row-check.js";
import type { Sql } from "../../sql.js";
import { nameOfRow } from "./record-words.js";
import { rowsInParts } from "./rows-in-parts.js";

/** Names of records that do not match their check values: damaged, or changed by another program. */
export async function findAlteredRecords(sql: Sql): Promise<string[]> {
  const names: string[] = [];
  for (const table of checkedTables) {
    for await (const rows of rowsInParts<CheckedRow>(sql, table))
      for (const row of rows)
        if (!isRowIntact(row) || !isRowReadable(table, row)) names.push(nameOfRow(table, row));
  }
  const unreadable = "SELECT id FROM learnings WHERE NOT json_valid(record)";
  for (const { id } of await sql.all<{ id: string }>(unreadable)) names.push(`learning ${id}`);
  return names;
}
