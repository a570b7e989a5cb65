import { firstProvisional, taskIdOf } from "../../domain/tasks/task.js";
import { fingerprint } from "../../text/fingerprint.js";
import type { SqlValue } from "../sql.js";
import type { LoadContext } from "./load-context.js";
import { type CanonicalTable, type Row, shapeOf } from "./table-shapes.js";

/** What becomes of some rows of one table. */
export interface Plan {
  /** To be added, as they will be here. */
  rows: Row[];
  /** That are here in an earlier version, as they will be. */
  later: Row[];
  /** That are here already. */
  present: number;
  /** That cannot be added, since this store has or had something else in their place. */
  leftOut: number;
}

export type Matcher = (rows: readonly Row[]) => Promise<Plan>;

/**
 * Compares rows with those that are here. If two of them say the same, and one is here, the other one is added. Of two versions
 * the later one stays.
 */
export function makeMatcher(context: LoadContext, table: CanonicalTable): Matcher {
  const shape = shapeOf(table);
  const [by = ""] = shape.identity ?? shape.order;
  const owner = shape.references?.[by];
  /** The rows here by what they say, and the values that they were looked up by. */
  const here = new Map<string, Row[]>();
  const read = new Set<SqlValue>();

  const mayBeHere = async (row: Row) =>
    owner === undefined ? !(await context.wasEmpty(table)) : context.isKnown(owner, row[by]);

  const readHere = async (rows: readonly Row[]): Promise<void> => {
    const unread = new Set<SqlValue>();
    for (const row of rows) {
      const value = row[by] ?? null;
      if (!read.has(value) && (await mayBeHere(row))) unread.add(value);
    }
    for await (const row of context.rowsWith(table, by, [...unread])) {
      const identity = identityOf(table, row);
      here.set(identity, [...(here.get(identity) ?? []), row]);
    }
    for (const value of unread) read.add(value);
  };

  return async (rows) => {
    await readHere(rows);
    const plan: Plan = { rows: [], later: [], present: 0, leftOut: 0 };
    const fresh: Row[] = [];
    for (const row of rows) {
      const same = takeSame(table, here.get(identityOf(table, row)) ?? [], row);
      if (same === undefined) fresh.push(row);
      else match(context, table, plan, { row, same });
    }
    const wanted = await withoutContradicting(context, table, fresh);
    plan.leftOut += fresh.length - wanted.length;
    plan.rows = await withOwnNumbers(context, table, wanted);
    for (const row of [...plan.rows, ...plan.later]) noteChange(context, table, row);
    return plan;
  };
}

function identityOf(table: CanonicalTable, row: Row): string {
  const { name, identity, order } = shapeOf(table);
  const [by = ""] = identity ?? order;
  const own = name === undefined ? null : (row[name] ?? null);
  const values = own === null ? (identity ?? order).map((column) => row[column] ?? null) : [row[by], own];
  return fingerprint(JSON.stringify(values));
}

/** Of several that say the same, the one with the same number, or else the same version, or else the first. */
function takeSame(table: CanonicalTable, same: Row[], row: Row): Row | undefined {
  const byNumber = same.findIndex(({ number }) => number !== undefined && number === row.number);
  const byVersion = same.findIndex(
    (each) => !isLaterVersion(table, row, each) && !isLaterVersion(table, each, row),
  );
  return same.splice(Math.max(byNumber === -1 ? byVersion : byNumber, 0), 1)[0];
}

/** Notes under which numbers a row is here, and whether it is replaced. */
function match(
  context: LoadContext,
  table: CanonicalTable,
  plan: Plan,
  { row, same }: { row: Row; same: Row },
): void {
  if (table === "attempts" && same.started !== row.started) {
    context.otherAttempts.add(`${row.task_number}/${row.id}`);
    plan.leftOut += 1;
    return;
  }
  const { key, number } = shapeOf(table);
  const own = key ?? number;
  const merged = { ...row };
  if (own !== undefined) {
    merged[own] = same[own] ?? null;
    context.setKnown(table, Number(row[own]), Number(same[own]));
  }
  if (table === "tasks") rename(context, row, merged);
  if (table === "attempts") {
    context.taskOfAttempt.set(Number(same.attempt_key), Number(row.task_number));
    // Its actions stay here as they are, in detail or packed.
    merged.actions_summary = same.actions_summary ?? null;
  }
  if (table === "learnings") context.knownLearnings.add(String(row.id));
  const isLater = isLaterVersion(table, row, same) && !(table === "learnings" && same.record === row.record);
  if (isLater) plan.later.push(merged);
  else if (table === "learnings" && same.record !== row.record) {
    context.ownLearnings.add(String(row.id));
    plan.leftOut += 1;
  } else plan.present += 1;
}

/** What has a value comes after what has none; times and counts grow. */
function isLaterVersion(table: CanonicalTable, row: Row, here: Row): boolean {
  for (const name of shapeOf(table).progress ?? []) {
    const [theirs, own] = [row[name] ?? null, here[name] ?? null];
    if (theirs === own) continue;
    if (theirs === null || own === null) return own === null;
    return theirs > own;
  }
  return false;
}

/** Rows as they will be here: with the keys of this store, and with numbers that no other record has. */
async function withOwnNumbers(
  context: LoadContext,
  table: CanonicalTable,
  rows: readonly Row[],
): Promise<Row[]> {
  const { key } = shapeOf(table);
  if (table === "tasks" || table === "handoffs") return withFreeNumbers(context, table, rows);
  if (key === undefined) return [...rows];
  const keys = await context.newKeys(table, rows);
  return rows.map((row, index) => {
    const own = keys[index] ?? 0;
    context.setKey(table, Number(row[key]), own);
    return { ...row, [key]: own };
  });
}

async function withFreeNumbers(
  context: LoadContext,
  table: "tasks" | "handoffs",
  rows: readonly Row[],
): Promise<Row[]> {
  const numbers = rows.map(({ number }) => number ?? null);
  const taken = (await context.wasEmpty(table))
    ? new Set<SqlValue>()
    : await context.presentValues(table, "number", numbers);
  const numbered: Row[] = [];
  for (const row of rows) {
    const number = Number(row.number);
    const isFree = !taken.has(number) && !context.isGiven(table, number) && number < firstProvisional;
    const own = { ...row, number: isFree ? number : await context.nextNumber(table) };
    context.give(table, own.number);
    context.setKey(table, number, own.number);
    if (table === "tasks") rename(context, row, own);
    numbered.push(own);
  }
  return numbered;
}

function rename(context: LoadContext, { number }: Row, own: Row): void {
  if (own.number !== number) context.renamed.set(taskIdOf(Number(number)), taskIdOf(Number(own.number)));
}

/** Leaves out new rows that would contradict other records of this store. */
async function withoutContradicting(
  context: LoadContext,
  table: CanonicalTable,
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const absent = async (other: CanonicalTable, column: string, read: (row: Row) => SqlValue) => {
    if (rows.length === 0 || (await context.wasEmpty(other))) return rows;
    const present = await context.presentValues(other, column, rows.map(read));
    return rows.filter((row) => !present.has(read(row)));
  };
  const idOfRow = ({ id = null }: Row) => id;
  /** Of attempts that were here before. */
  const absentFromKnown = async (other: CanonicalTable) => {
    const attemptOf = ({ attempt_key: key = null }: Row) => key;
    const known = rows.map(attemptOf).filter((key) => context.isKnown("attempts", key));
    const present = await context.presentValues(other, "attempt_key", known);
    return rows.filter((row) => !present.has(attemptOf(row)));
  };
  switch (table) {
    case "learnings": {
      // One that was deleted here stays away, as does one that says the same.
      const kept = await absent("deleted_learnings", "id", idOfRow);
      const saidBefore = await absent("deleted_learnings", "likeness", saidBy);
      const wanted = kept.filter((row) => saidBefore.includes(row));
      for (const row of rows) if (!wanted.includes(row)) context.ownLearnings.add(String(row.id));
      return wanted;
    }
    case "learning_sources":
      return rows.filter(({ learning_id: id }) => !context.ownLearnings.has(String(id)));
    case "deleted_learnings":
      return absent("learnings", "id", idOfRow);
    case "staged_learnings":
      return absent("deleted_learnings", "id", idOfRow);
    case "actions":
      return absentFromKnown("packed_actions");
    case "packed_actions":
      return absentFromKnown("actions");
    default:
      return rows;
  }
}

/** As the deletion of a learning records what it said. */
function saidBy({ type, task_type: taskType, likeness }: Row): string {
  return `${type} ${type === "estimate" ? taskType : "any"} ${likeness}`;
}

/** What a task or a learning is found by may have changed. */
function noteChange(context: LoadContext, table: CanonicalTable, row: Row): void {
  if (table === "learnings") context.changedLearnings.add(String(row.id));
  const task =
    table === "tasks" ? row.number : (row.task_number ?? context.taskOfAttempt.get(Number(row.attempt_key)));
  if (task !== undefined && task !== null) context.changedTasks.add(Number(task));
}
