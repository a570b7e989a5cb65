import { fingerprint } from "../../../text/fingerprint.js";
import { shapeOf } from "../all-tables.js";
import type { CanonicalTable, Row, RowGroup } from "../table-shape.js";
import { progressOf, settle } from "./later-version.js";
import type { LoadContext, Plan } from "./load-context.js";
import { presentValues, rowsWith } from "./look-up.js";

/** The rows that a record has here, by what they say, with no more than their keys and versions. */
type OwnRows = Map<string, Row[]>;

/**
 * Rows that have no id are compared with those that their record has here. If two say the same, and one is here, the other one
 * is added.
 */
export function makeGroupPlanner(context: LoadContext, table: CanonicalTable, group: RowGroup) {
  const { key = "" } = shapeOf(table);
  const { by, excludedBy } = group;
  const owner = shapeOf(table).references?.[by];
  let here = new Map<unknown, OwnRows>();

  const mayBeHere = async (row: Row) =>
    owner === undefined ? !(await context.wasEmpty(table)) : context.keys.isKnown(owner, row[by]);

  /** Reads what records have here, unless it was read for rows before these. */
  const readHere = async (records: ReadonlySet<Row[string]>): Promise<void> => {
    if (group.isScattered !== true)
      here = new Map([...here].filter(([record]) => records.has(record as Row[string])));
    const unread = [...records].filter((record) => !here.has(record));
    for (const record of unread) here.set(record, new Map());
    const kept = [key, ...progressOf(table)];
    const columns = [...(group.name === undefined ? [] : [group.name]), ...group.identity, ...kept];
    for await (const row of rowsWith(context, { table, columns, by, key }, unread)) {
      const own = here.get(row[by] ?? null);
      const identity = identityOf(row, group);
      const version = Object.fromEntries(kept.map((name) => [name, row[name] ?? null]));
      const same = own?.get(identity);
      if (same === undefined) own?.set(identity, [version]);
      else same.push(version);
    }
  };

  return async (rows: readonly Row[]): Promise<Plan> => {
    const plan: Plan = { rows: [], later: [], present: 0, leftOut: 0 };
    const isOld = await Promise.all(rows.map(mayBeHere));
    const records = new Set(rows.filter((_, index) => isOld[index]).map((row) => row[by] ?? null));
    await readHere(records);
    const excluded =
      excludedBy === undefined ? new Set() : await presentValues(context, excludedBy, by, [...records]);
    const fresh: Row[] = [];
    for (const row of rows) {
      const same = here.get(row[by] ?? null)?.get(identityOf(row, group));
      const own = same?.shift();
      if (own !== undefined) {
        context.keys.setKnown(table, Number(row[key]), Number(own[key]));
        settle(plan, table, { here: own, row: { ...row, [key]: own[key] ?? null } });
      } else if (excluded.has(row[by] ?? null)) plan.leftOut += 1;
      else fresh.push(row);
    }
    const keys = await context.newKeys(table, fresh);
    for (const [index, row] of fresh.entries()) {
      const own = keys[index] ?? 0;
      if (isReferredTo(table)) context.keys.set(table, Number(row[key]), own);
      noteChange(context, owner, row[by]);
      plan.rows.push({ ...row, [key]: own });
    }
    return plan;
  };
}

function identityOf(row: Row, { name, identity }: RowGroup): string {
  const own = name === undefined ? null : row[name];
  return own === null || own === undefined
    ? fingerprint(JSON.stringify(identity.map((column) => row[column] ?? null)))
    : `name ${own}`;
}

function isReferredTo(table: CanonicalTable): boolean {
  return table === "runs" || table === "briefs";
}

/** What a task is found by may have changed. */
function noteChange(context: LoadContext, owner: CanonicalTable | undefined, record: unknown): void {
  const task = owner === "attempts" ? context.keys.findTask(record) : owner === "tasks" ? record : undefined;
  if (task !== undefined) context.changedTasks.add(Number(task));
}
