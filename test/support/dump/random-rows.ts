import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import type { Learning } from "../../../src/domain/knowledge/learning.js";
import { recordChecksum } from "../../../src/semantic/records/checksum.js";
import type { Column } from "../../../src/store/dump/columns.js";
import type { CanonicalTable, Row, TableRow } from "../../../src/store/dump/table-shapes.js";
import { dumpedTables, shapeOf } from "../../../src/store/dump/table-shapes.js";

/** What a test says about a column instead of its kind. */
type Choice = fc.Arbitrary<string | number | null>;

const time = fc
  .integer({ min: 0, max: 40_000_000 })
  .map((seconds) => new Date(1_760_000_000_000 + seconds * 1000).toISOString());
const taskId = fc.integer({ min: 1, max: 4 }).map((number) => `task-00${number}`);

const named: Record<string, Choice> = {
  created: time,
  updated: time,
  started: time,
  timestamp: time,
  task_id: taskId,
  record_id: fc.oneof(taskId, fc.constantFrom("learn-0a0a0a0a0a0a", "mem-1-a")),
  from_id: fc.constantFrom("task-001", "task-002/1", "learn-0a0a0a0a0a0a", "mem-1-a"),
  to_id: fc.constantFrom("task-003", "learn-0b0b0b0b0b0b"),
  source: taskId,
  success: fc.constantFrom(0, 1),
  succeeded: fc.constantFrom(0, 1),
  is_holdout: fc.constantFrom(0, 1),
  tags: fc.constantFrom("[]", '["one","two"]'),
  related_tasks: fc.constantFrom("[]", '["task-002"]'),
  constraints: fc.constant("[]"),
  errors: fc.constant("[]"),
  artifacts: fc.constant("[]"),
  files: fc.constantFrom("[]", '["src/a.ts"]'),
  plan: fc.constant('{"approach":"a","steps":[]}'),
  outcome: fc.constantFrom(null, '{"status":"success"}'),
  action_items: fc.constant("[]"),
  status: fc.constantFrom("running", "completed"),
  type: fc.constantFrom("strategy", "antipattern"),
  task_type: fc.constantFrom("feature", "bug-fix"),
  relation: fc.constantFrom("related_to", "supports"),
  superseded_by: fc.constant(null),
  idempotency_key: fc.constantFrom(null),
};

function arbitraryOf(name: string, { kind, isOptional }: Column): fc.Arbitrary<Row[string]> {
  const chosen = named[name];
  if (chosen !== undefined) return chosen;
  const word = fc.string({ maxLength: 12, unit: "binary" }).map((text) => text.replaceAll("\0", "0"));
  const value: fc.Arbitrary<Row[string]> = {
    word,
    text: fc.oneof(
      word,
      fc.string({ maxLength: 60 }).map((text) => text.replaceAll("\0", "0")),
    ),
    record: fc.constantFrom("{}", '{"a":[1,"task-001"]}'),
    records: fc.constant("[]"),
    texts: fc.constant("[]"),
    json: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
    integer: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
    real: fc.integer({ min: 0, max: 100_000 }).map((number) => number / 100_000),
    packed: fc
      .string()
      .map((tool) =>
        Uint8Array.from(deflateRawSync(JSON.stringify([{ tool, params: {}, success: true, iteration: 1 }]))),
      ),
  }[kind];
  return isOptional ? fc.oneof(value, fc.constant(null)) : value;
}

const sizes: Partial<Record<CanonicalTable, number>> = { tasks: 4, runs: 3, attempts: 6, actions: 20 };

/** The rows of a store, with everything that they refer to. */
export const randomRows: fc.Arbitrary<TableRow[]> = fc
  .tuple(
    ...dumpedTables.map((table) => {
      const columns = Object.entries(shapeOf(table).columns);
      const row = fc.record(
        Object.fromEntries(columns.map(([name, column]) => [name, arbitraryOf(name, column)])),
      );
      return fc.array(row as fc.Arbitrary<Row>, { maxLength: sizes[table] ?? 5 });
    }),
  )
  .chain((tables) => fc.infiniteStream(fc.nat({ max: 1000 })).map((numbers) => joined(tables, numbers)));

/** Gives rows their numbers and ids, and lets them refer to each other. */
function joined(tables: Row[][], numbers: Iterable<number>): TableRow[] {
  const random = numbers[Symbol.iterator]();
  const pick = <Item>(items: readonly Item[]): Item | undefined =>
    items[(random.next().value ?? 0) % items.length];
  const keys = new Map<CanonicalTable, number[]>();
  const rows = dumpedTables.flatMap((table, at) => {
    const { key, references = {}, columns } = shapeOf(table);
    const own: Row[] = [];
    for (const [index, given] of (tables[at] ?? []).entries()) {
      const row = { ...given };
      const number = index * 3 + 1;
      if (key !== undefined) row[key] = number;
      if (table === "tasks" || table === "handoffs") row.number = index + 1;
      if (table === "tasks") row.uuid = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
      let isWhole = true;
      for (const [column, other] of Object.entries(references)) {
        const target = pick(keys.get(other) ?? []);
        if (target === undefined && columns[column]?.isOptional !== true) isWhole = false;
        row[column] = target ?? null;
      }
      if (table === "attempts") row.id = index + 1;
      if (["learnings", "staged_learnings"].includes(table))
        row.id = `learn-${String(index).padStart(12, "0")}`;
      if (table === "learnings") Object.assign(row, learning(row));
      for (const column of ["task_id", "record_id", "source", "from_id", "to_id"])
        if (typeof row[column] === "string") row[column] = knownTask(row[column], keys.get("tasks") ?? []);
      if (isWhole) own.push(row);
    }
    const distinct = withoutTwins(table, own);
    keys.set(
      table,
      distinct.map((row) => Number(row[key ?? "number"])),
    );
    return distinct.map((row) => ({ table, row }));
  });
  return rows;
}

/** Only tasks that are there are named, as in any store. */
function knownTask(id: string, numbers: readonly number[]): string {
  const number = /^task-00(\d)/.exec(id)?.[1];
  return number === undefined || numbers.includes(Number(number)) ? id : `loop-${number}`;
}

function learning({ id, type, task_type: taskType, likeness }: Row): Row {
  const record = {
    ...{ id, type, taskType, content: { description: `It is said that ${likeness}` } },
    ...{ confidence: 0.5, sourceLoops: ["task-001"], successRate: 1, useCount: 0 },
    ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
  };
  return { record: JSON.stringify(record), checksum: recordChecksum(record as Learning) };
}

function withoutTwins(table: CanonicalTable, rows: Row[]): Row[] {
  const { key, order } = shapeOf(table);
  if (key !== undefined || table === "tasks" || table === "handoffs") return rows;
  return [...new Map(rows.map((row) => [JSON.stringify(order.map((name) => row[name])), row])).values()];
}
