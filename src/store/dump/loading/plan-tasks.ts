import { firstProvisional, taskIdOf } from "../../../domain/tasks/task.js";
import { highest } from "../read-rows.js";
import type { Row } from "../table-shape.js";
import { progressOf, settle } from "./later-version.js";
import type { LoadContext, Plan } from "./load-context.js";
import { presentValues, rowsWith } from "./look-up.js";

/** Tasks are the same by their UUID. One whose number is provisional, or taken by another, gets the next free one. */
export function makeTaskPlanner(context: LoadContext) {
  let last: number | undefined;
  const given = new Set<number>();
  const nextFree = async (): Promise<number> => {
    last ??= Math.max(context.highest.tasks, await highest(context.sql, context.dialect, "tasks", "number"));
    last += 1;
    given.add(last);
    return last;
  };
  return async (rows: readonly Row[]): Promise<Plan> => {
    const isEmpty = await context.wasEmpty("tasks");
    const here = isEmpty ? new Map<string, Row>() : await findByUuid(context, rows);
    const numbers = rows.map(({ number }) => number ?? null);
    const taken = isEmpty ? new Set() : await presentValues(context, "tasks", "number", numbers);
    const plan: Plan = { rows: [], later: [], present: 0, leftOut: 0 };
    for (const row of rows) {
      const number = Number(row.number);
      const known = here.get(String(row.uuid));
      const own =
        known === undefined
          ? taken.has(number) || given.has(number) || number >= firstProvisional
            ? await nextFree()
            : number
          : Number(known.number);
      if (own !== number) context.renamed.set(taskIdOf(number), taskIdOf(own));
      if (known === undefined) {
        context.keys.set("tasks", number, own);
        context.changedTasks.add(own);
        plan.rows.push({ ...row, number: own });
      } else {
        context.keys.setKnown("tasks", number, own);
        settle(plan, "tasks", { here: known, row: { ...row, number: own } });
      }
    }
    for (const row of plan.later) context.changedTasks.add(Number(row.number));
    return plan;
  };
}

async function findByUuid(context: LoadContext, rows: readonly Row[]): Promise<Map<string, Row>> {
  const found = new Map<string, Row>();
  const uuids = rows.map(({ uuid }) => uuid ?? null);
  const of = {
    table: "tasks",
    columns: ["number", ...progressOf("tasks")],
    by: "uuid",
    key: "uuid",
  } as const;
  for await (const row of rowsWith(context, of, uuids)) found.set(String(row.uuid), row);
  return found;
}
