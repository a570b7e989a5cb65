import type { Row } from "../table-shape.js";
import { progressOf, settle } from "./later-version.js";
import type { LoadContext, Plan } from "./load-context.js";
import { rowsWith } from "./look-up.js";

/** Attempts of a task are the same if they have the same number and began at the same time. */
export function makeAttemptPlanner(context: LoadContext) {
  return async (rows: readonly Row[]): Promise<Plan> => {
    const here = await findHere(context, rows);
    const plan: Plan = { rows: [], later: [], present: 0, leftOut: 0 };
    const fresh: Row[] = [];
    for (const row of rows) {
      const name = `${row.task_number}/${row.id}`;
      const known = here.get(name);
      if (known === undefined) fresh.push(row);
      else if (known.started === row.started) {
        context.keys.setKnown("attempts", Number(row.attempt_key), Number(known.attempt_key));
        context.keys.setTask(Number(known.attempt_key), Number(row.task_number));
        // Its actions stay here as they are, in detail or packed.
        const { attempt_key, actions_summary = null } = known;
        settle(plan, "attempts", { here: known, row: { ...row, attempt_key, actions_summary } as Row });
      } else {
        context.otherAttempts.add(name);
        plan.leftOut += 1;
      }
    }
    for (const row of plan.later) context.changedTasks.add(Number(row.task_number));
    const keys = await context.newKeys("attempts", fresh);
    for (const [index, row] of fresh.entries()) {
      const own = keys[index] ?? 0;
      context.keys.set("attempts", Number(row.attempt_key), own);
      context.changedTasks.add(Number(row.task_number));
      plan.rows.push({ ...row, attempt_key: own });
    }
    return plan;
  };
}

async function findHere(context: LoadContext, rows: readonly Row[]): Promise<Map<string, Row>> {
  const tasks = new Set(rows.map(({ task_number: task }) => task ?? null));
  const known = [...tasks].filter((task) => context.keys.isKnown("tasks", task));
  const found = new Map<string, Row>();
  const of = {
    table: "attempts",
    columns: ["id", "started", "actions_summary", ...progressOf("attempts")],
    by: "task_number",
    key: "attempt_key",
  } as const;
  for await (const row of rowsWith(context, of, known)) found.set(`${row.task_number}/${row.id}`, row);
  return found;
}
