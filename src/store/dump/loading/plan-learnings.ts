import type { Row } from "../table-shape.js";
import { isLater, progressOf } from "./later-version.js";
import type { LoadContext, Plan } from "./load-context.js";
import { presentValues, rowsWith } from "./look-up.js";

/** A learning that is here stays as it is, and one that was deleted here stays away, as does one that says the same. */
export function makeLearningPlanner(context: LoadContext) {
  return async (rows: readonly Row[]): Promise<Plan> => {
    const here = (await context.wasEmpty("learnings")) ? new Map<string, Row>() : await find(context, rows);
    const deleted = await findDeleted(context, rows);
    const plan: Plan = { rows: [], later: [], present: 0, leftOut: 0 };
    const fresh: Row[] = [];
    for (const row of rows) {
      const id = String(row.id);
      const known = here.get(id);
      if (known !== undefined) context.knownLearnings.add(id);
      if (known?.record === row.record) plan.present += 1;
      else if (known !== undefined && isLater("learnings", row, known)) {
        context.changedLearnings.add(id);
        plan.later.push({ ...row, number: known.number ?? null });
      } else if (known !== undefined || deleted.has(id) || deleted.has(saidBy(row))) {
        context.ownLearnings.add(id);
        plan.leftOut += 1;
      } else fresh.push(row);
    }
    const keys = await context.newKeys("learnings", fresh);
    for (const [index, row] of fresh.entries()) {
      context.changedLearnings.add(String(row.id));
      plan.rows.push({ ...row, number: keys[index] ?? 0 });
    }
    return plan;
  };
}

async function find(context: LoadContext, rows: readonly Row[]): Promise<Map<string, Row>> {
  const found = new Map<string, Row>();
  const ids = rows.map(({ id }) => id ?? null);
  const of = {
    table: "learnings",
    columns: ["record", "number", ...progressOf("learnings")],
    by: "id",
    key: "id",
  } as const;
  for await (const row of rowsWith(context, of, ids)) found.set(String(row.id), row);
  return found;
}

async function findDeleted(context: LoadContext, rows: readonly Row[]): Promise<Set<unknown>> {
  if (await context.wasEmpty("deleted_learnings")) return new Set();
  const ids = rows.map(({ id }) => id ?? null);
  return new Set([
    ...(await presentValues(context, "deleted_learnings", "id", ids)),
    ...(await presentValues(context, "deleted_learnings", "likeness", rows.map(saidBy))),
  ]);
}

/** As the deletion of a learning records what it said. */
function saidBy({ type, task_type: taskType, likeness }: Row): string {
  return `${type} ${type === "estimate" ? taskType : "any"} ${likeness}`;
}
