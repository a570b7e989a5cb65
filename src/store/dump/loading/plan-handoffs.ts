import { fingerprint } from "../../../text/fingerprint.js";
import { highest, readRows } from "../read-rows.js";
import type { Row } from "../table-shape.js";
import { isLater, settle } from "./later-version.js";
import type { LoadContext, Plan } from "./load-context.js";

/** Handoffs are the same if they say the same. One whose number is taken by another gets the next free number. */
export function makeHandoffPlanner(context: LoadContext) {
  let here: { records: Map<string, Row[]>; numbers: Set<number> } | undefined;
  let last = 0;
  const readHere = async () => {
    const records = new Map<string, Row[]>();
    const numbers = new Set<number>();
    for await (const { row } of readRows(context.sql, context.dialect, ["handoffs"])) {
      const print = fingerprint(String(row.record));
      records.set(print, [...(records.get(print) ?? []), row]);
      numbers.add(Number(row.number));
    }
    last = Math.max(
      context.highest.handoffs,
      await highest(context.sql, context.dialect, "handoffs", "number"),
    );
    return { records, numbers };
  };
  return async (rows: readonly Row[]): Promise<Plan> => {
    here ??= await readHere();
    const plan: Plan = { rows: [], later: [], present: 0, leftOut: 0 };
    for (const row of rows) {
      const print = fingerprint(String(row.record));
      const same = takeSame(here.records.get(print) ?? [], row);
      if (same !== undefined) {
        settle(plan, "handoffs", { here: same, row: { ...row, number: same.number ?? null } });
        continue;
      }
      const isTaken = here.numbers.has(Number(row.number));
      if (isTaken) last += 1;
      const number = isTaken ? last : Number(row.number);
      here.numbers.add(number);
      plan.rows.push({ ...row, number });
    }
    return plan;
  };
}

/** Of several that say the same, the one with the same number, or else the same version. */
function takeSame(same: Row[], row: Row): Row | undefined {
  const isVersion = (each: Row) => !isLater("handoffs", row, each) && !isLater("handoffs", each, row);
  const byNumber = same.findIndex(({ number }) => number === row.number);
  const at = byNumber === -1 ? same.findIndex(isVersion) : byNumber;
  return same.splice(Math.max(at, 0), 1)[0];
}
