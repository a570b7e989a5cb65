import { knowledgeTables, noteTables } from "./knowledge-tables.js";
import type { CanonicalTable, TableShape } from "./table-shape.js";
import { taskTables } from "./task-tables.js";

/** Each table stands behind those that it refers to. */
const shapes: Record<CanonicalTable, TableShape> = { ...taskTables, ...knowledgeTables, ...noteTables };

export const dumpedTables = Object.keys(shapes) as readonly CanonicalTable[];

/** They stay on this machine with the notes files that they are about. */
export const localTables = Object.keys(noteTables) as readonly CanonicalTable[];

export const sharedTables = dumpedTables.filter((table) => !localTables.includes(table));

export function shapeOf(table: CanonicalTable): TableShape {
  return shapes[table];
}

export function isDumped(table: string): table is CanonicalTable {
  return Object.hasOwn(shapes, table);
}
