import { shapeOf } from "../all-tables.js";
import type { CanonicalTable, Row } from "../table-shape.js";
import { progressOf, settle } from "./later-version.js";
import type { LoadContext, Plan } from "./load-context.js";
import { presentRows, presentValues } from "./look-up.js";

/** Rows with an id of their own: those that are here stay as they are. */
export function makePlainPlanner(context: LoadContext, table: CanonicalTable) {
  return async (rows: readonly Row[]): Promise<Plan> => {
    const kept = await leavingOut(context, table, rows);
    const leftOut = rows.length - kept.length;
    const here = (await context.wasEmpty(table))
      ? new Map<number, Row>()
      : await presentRows(context, { table, id: idOf(table), columns: columnsOf(table) }, kept);
    const plan: Plan = { rows: [], later: [], present: 0, leftOut };
    const { key } = shapeOf(table);
    for (const [index, known] of here) {
      const row = { ...(kept[index] ?? {}), ...(key !== undefined && { [key]: known[key] ?? null }) };
      settle(plan, table, { here: known, row });
    }
    const fresh = kept.filter((_, index) => !here.has(index));
    return { ...plan, rows: await withKeys(context, table, fresh) };
  };
}

export function idOf(table: CanonicalTable): readonly string[] {
  return table === "staged_learnings" ? ["id"] : shapeOf(table).order;
}

function columnsOf(table: CanonicalTable): string[] {
  const { key } = shapeOf(table);
  return [...(key === undefined ? [] : [key]), ...progressOf(table)];
}

async function withKeys(context: LoadContext, table: CanonicalTable, rows: Row[]): Promise<Row[]> {
  const { key } = shapeOf(table);
  if (key === undefined) return rows;
  const keys = await context.newKeys(table, rows);
  return rows.map((row, index) => ({ ...row, [key]: keys[index] ?? 0 }));
}

/** What would contradict other records of this store. */
async function leavingOut(
  context: LoadContext,
  table: CanonicalTable,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  if (table === "learning_sources")
    return rows.filter(({ learning_id: id }) => !context.ownLearnings.has(String(id)));
  if (table === "deleted_learnings" && !(await context.wasEmpty("learnings"))) {
    const ids = rows.map(({ id }) => id ?? null);
    const live = await presentValues(context, "learnings", "id", ids);
    return rows.filter(({ id }) => !live.has(id ?? null));
  }
  if (table === "staged_learnings" && !(await context.wasEmpty("deleted_learnings"))) {
    const ids = rows.map(({ id }) => id ?? null);
    const deleted = await presentValues(context, "deleted_learnings", "id", ids);
    return rows.filter(({ id }) => !deleted.has(id ?? null));
  }
  if (table === "packed_actions") {
    const known = rows.filter(({ attempt_key: key }) => context.keys.isKnown("attempts", key));
    const keys = known.map(({ attempt_key: key }) => key ?? null);
    const detailed = await presentValues(context, "actions", "attempt_key", keys);
    return rows.filter(({ attempt_key: key }) => !detailed.has(key ?? null));
  }
  return rows;
}
