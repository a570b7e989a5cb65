import { shapeOf } from "../all-tables.js";
import type { CanonicalTable, Row } from "../table-shape.js";
import type { Plan } from "./load-context.js";

/** Counts a row that is here, or replaces it if the one that comes in is a later version of it. */
export function settle(plan: Plan, table: CanonicalTable, { here, row }: { here: Row; row: Row }): void {
  if (isLater(table, row, here)) plan.later.push(row);
  else plan.present += 1;
}

export function progressOf(table: CanonicalTable): readonly string[] {
  return shapeOf(table).progress ?? [];
}

/** What has a value comes after what has none; times and counts grow. */
export function isLater(table: CanonicalTable, row: Row, here: Row): boolean {
  for (const name of progressOf(table)) {
    const [theirs, own] = [row[name] ?? null, here[name] ?? null];
    if (theirs === own) continue;
    if (theirs === null || own === null) return own === null;
    return theirs > own;
  }
  return false;
}
