import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { provisionalNumber } from "../../../src/domain/tasks/task.js";
import { loadRecords } from "../../../src/memory/records/load-records.js";
import type { RecordDump } from "../../../src/memory/records/record-verbs.js";
import { dumpRecords } from "../../../src/memory/records/record-verbs.js";
import { loadRows } from "../../../src/store/dump/load-rows.js";
import type { TableRow } from "../../../src/store/dump/table-shapes.js";
import { dumpedTables, localTables, shapeOf } from "../../../src/store/dump/table-shapes.js";
import { createPostgresStore, openPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import { openSqliteStore } from "../../../src/store/sqlite/open-sqlite-store.js";
import type { Store } from "../../../src/store/store.js";
import { canonicalTables } from "../../../src/store/tables.js";
import { teamStore } from "../../../src/store/team-store.js";
import { randomRows } from "../../support/dump/random-rows.js";
import {
  lackOfPostgres,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres/postgres-server.js";

const openEmpty = (): Promise<Store> => openSqliteStore({ directory: "", isInMemory: true });

const countOf = (rows: readonly TableRow[], table: string) =>
  rows.filter((row) => row.table === table).length;

const originOf = (rows: readonly TableRow[]) => ({
  schema: 1,
  project: "test",
  highest: { tasks: countOf(rows, "tasks"), handoffs: countOf(rows, "handoffs") },
});

async function* stream(rows: readonly TableRow[]): AsyncGenerator<TableRow> {
  yield* rows;
}

const load = async (store: Store, rows: readonly TableRow[]) =>
  loadRecords(await store.rowSides(), originOf(rows), stream(rows));

const dump = async <Result>(store: Store, work: (dump: RecordDump) => Promise<Result>) =>
  dumpRecords(await store.rowSides(), "test", work);

const copy = async (from: Store, to: Store) =>
  dump(from, async (opened) => loadRecords(await to.rowSides(), opened, opened.rows()));

async function rowsOf(store: Store): Promise<TableRow[]> {
  return dump(store, async ({ rows }) => {
    const all: TableRow[] = [];
    for await (const { table, row } of rows()) all.push({ table, row: plain(row) });
    return all;
  });
}

/** Buffers as plain bytes, so that they compare by content. */
function plain(row: TableRow["row"]): TableRow["row"] {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Uint8Array.from(value) : value,
    ]),
  );
}

/** Rows with the places of the rows they refer to in place of numbers that mean nothing elsewhere. */
function withoutKeys(rows: readonly TableRow[]): TableRow[] {
  const places = new Map<string, number>();
  const counts = new Map<string, number>();
  return rows.map(({ table, row }) => {
    const { key, references = {} } = shapeOf(table);
    const place = counts.get(table) ?? 0;
    counts.set(table, place + 1);
    const own = { ...row };
    if (key !== undefined) {
      places.set(`${table} ${row[key]}`, place);
      delete own[key];
    }
    for (const [column, other] of Object.entries(references))
      if (other !== "tasks" && own[column] !== null)
        own[column] = places.get(`${other} ${own[column]}`) ?? null;
    return { table, row: own };
  });
}

/** The same rows as those of another project, whose tasks have the same numbers. */
function ofOthers(rows: readonly TableRow[]): TableRow[] {
  return rows.map((each) => {
    const { uuid } = each.row;
    return typeof uuid === "string" ? { ...each, row: { ...each.row, uuid: `1${uuid.slice(1)}` } } : each;
  });
}

const aTask: TableRow = {
  table: "tasks",
  row: {
    ...{ number: 1, uuid: "0f0c9a2b-1111-4222-8333-444444444444", description: "Feed the horse" },
    ...{ created: "2026-01-01T00:00:00.000Z", updated: "2026-01-01T00:00:00.000Z", status: "running" },
    ...{ total_attempts: 0, tags: "[]", tag_list: "", related_tasks: "[]", constraints: "[]" },
  },
};

const ofTasks = ["tasks", "runs", "attempts", "actions", "milestones", "reflections", "capacity_changes"];

/** Loads two stores into one, twice. */
async function joinTwo(store: Store, one: readonly TableRow[], other: readonly TableRow[]): Promise<void> {
  const both = [one, ofOthers(other)];
  for (const rows of both) await load(store, rows);
  const joined = await rowsOf(store);
  for (const table of ofTasks) expect(countOf(joined, table), table).toBe(countOf(both.flat(), table));
  for (const rows of both) expect(await load(store, rows)).toMatchObject({ added: {}, updated: {} });
  expect(await rowsOf(store)).toEqual(joined);
}

describe("a dump", () => {
  it("knows every table that exists nowhere else but the outbox, with all of its columns in order", async () => {
    expect([...dumpedTables, "outbox"].sort()).toEqual([...canonicalTables].sort());
    const store = await openEmpty();
    const [side] = await store.rowSides();
    for (const table of dumpedTables) {
      const columns = await side?.atOneMoment((sql) =>
        sql.all<{ name: string }>(`PRAGMA table_info(${table})`),
      );
      const names = (columns ?? []).map(({ name }) => name).filter((name) => name !== "row_check");
      expect(Object.keys(shapeOf(table).columns), table).toEqual(names);
    }
    await store.close();
  });

  it("brings any store to another SQLite database as it was, table by table, once", async () => {
    await fc.assert(
      fc.asyncProperty(randomRows, async (rows) => {
        const [first, second] = [await openEmpty(), await openEmpty()];
        await load(first, rows);
        const before = await rowsOf(first);
        expect(before.length).toBe(rows.length);
        await copy(first, second);
        expect(await rowsOf(second)).toEqual(before);
        const again = await copy(first, second);
        expect(again.added).toEqual({});
        expect(await rowsOf(second)).toEqual(before);
        await first.close();
        await second.close();
      }),
      { numRuns: 40 },
    );
  });

  it("makes the index entry of a later version, also if an earlier load was stopped before it did", async () => {
    const store = await openEmpty();
    await load(store, [aTask]);
    const updated = "2026-02-02T00:00:00.000Z";
    const later: TableRow = { table: "tasks", row: { ...aTask.row, updated, description: "Feed the zebra" } };
    const [side] = await store.rowSides();
    // Without its index, as after a kill.
    if (side !== undefined)
      await side.load((loading) =>
        loadRows(stream([later]), {
          side,
          loading,
          highest: originOf([later]).highest,
          prepare: (_, row) => row,
        }),
      );
    expect(await load(store, [later])).toMatchObject({ added: {}, updated: {} });
    const scope = { kind: "task", sources: [""], labelGroups: [] } as const;
    const [entry] = await store.lexical.keepAllowed(scope, ["task-001"]);
    expect(entry?.time).toBe(Date.parse(updated));
    await store.close();
  });

  it("gives a task with a provisional number the next free one", async () => {
    const store = await openEmpty();
    const begun: TableRow = {
      table: "tasks",
      row: {
        ...aTask.row,
        number: provisionalNumber("aaaaaaaa-0000-4000-8000-000000000000"),
        uuid: "aaaaaaaa",
      },
    };
    await load(store, [aTask]);
    const { renumbered } = await load(store, [begun]);
    expect(renumbered).toEqual([{ from: "task-local-aaaaaaaa", to: "task-002" }]);
    await store.close();
  });

  it("joins two stores without losing a task, whatever their numbers", async () => {
    await fc.assert(
      fc.asyncProperty(randomRows, randomRows, async (one, other) => {
        const store = await openEmpty();
        await joinTwo(store, one, other);
        await store.close();
      }),
      { numRuns: 25 },
    );
  });
});

describe.skipIf(lackOfPostgres() !== undefined)("a dump between SQLite and PostgreSQL", () => {
  let server: PostgresServer;
  let address = "";
  let projects = 0;
  beforeAll(async () => {
    server = await startPostgres();
    address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
  });
  afterAll(() => server.stop());

  const openTeam = async (): Promise<Store> => {
    projects += 1;
    const projectKey = `p${projects}`;
    return teamStore(await openEmpty(), () => openPostgresStore({ address, projectKey, environment: {} }));
  };

  it("brings any store there and back as it was, once", async () => {
    await fc.assert(
      fc.asyncProperty(randomRows, async (rows) => {
        const [first, team, third] = [await openEmpty(), await openTeam(), await openEmpty()];
        await load(first, rows);
        const before = withoutKeys(await rowsOf(first));
        await copy(first, team);
        expect(withoutKeys(await rowsOf(team))).toEqual(before);
        expect((await copy(first, team)).added).toEqual({});
        await copy(team, third);
        expect(withoutKeys(await rowsOf(third))).toEqual(before);
        expect(before.some(({ table }) => localTables.includes(table))).toBe(
          rows.some(({ table }) => localTables.includes(table)),
        );
        for (const store of [first, team, third]) await store.close();
      }),
      { numRuns: 12 },
    );
  });

  it("joins two stores there without losing a task, whatever their numbers", async () => {
    await fc.assert(
      fc.asyncProperty(randomRows, randomRows, async (one, other) => {
        const team = await openTeam();
        await joinTwo(team, one, other);
        await team.close();
      }),
      { numRuns: 8 },
    );
  });
});
