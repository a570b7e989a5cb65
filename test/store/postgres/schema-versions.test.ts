import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { lexicalPostgres } from "../../../src/store/postgres/lexical/lexical-postgres.js";
import { createPostgresStore, openPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import { createTables } from "../../../src/store/postgres/schema/tables.js";
import { firstVersion, serverVersion } from "../../../src/store/postgres/schema/upgrades.js";
import { derivationVersion } from "../../../src/store/schema-version.js";
import {
  lackOfPostgres,
  type PostgresServer,
  query,
  startPostgres,
} from "../../support/postgres/postgres-server.js";
import { openProjectSql } from "../../support/postgres/project-sql.js";
import { runRalph } from "../../support/run-ralph.js";
import { scratchRepository } from "../../support/scratch.js";

describe.skipIf(lackOfPostgres() !== undefined)("versions of Ralph on one database", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server.stop());

  const columnsOf = async (address: string) =>
    query(
      address,
      `SELECT table_name, column_name, data_type, is_nullable, collation_name FROM information_schema.columns
       WHERE table_schema = 'public' ORDER BY 1, 2`,
    );

  it("make the same tables, be they new or brought up to date; roles keep their rights", async () => {
    const [fresh, old] = [await server.makeDatabase(), await server.makeDatabase()];
    expect(await createPostgresStore({ address: fresh, environment: {} })).toMatchObject({
      state: "created",
    });
    const run = async (statement: string) => (await query(old, statement)).length;
    await createTables({ run });
    await run("CREATE TABLE ralph_schema (version INTEGER NOT NULL)");
    await run(`INSERT INTO ralph_schema VALUES (${firstVersion})`);
    await run("CREATE ROLE worker_of_old LOGIN");
    await run("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO worker_of_old");
    const open = () => openPostgresStore({ address: old, projectKey: "a", environment: {} });
    await expect(open()).rejects.toMatchObject({
      code: "store-too-old",
      hint: expect.stringContaining("ralph store create"),
    });
    expect(await createPostgresStore({ address: old, environment: {} })).toMatchObject({ state: "upgraded" });
    expect(await createPostgresStore({ address: old, environment: {} })).toMatchObject({ state: "present" });
    expect(await columnsOf(old)).toEqual(await columnsOf(fresh));
    const store = await open();
    onTestFinished(() => store.close());
    expect(await store.tasks.highestNumber()).toBe(0);
    const [rights] = await query(
      old,
      "SELECT has_table_privilege('worker_of_old', 'runs', 'INSERT') AS rows, has_table_privilege('worker_of_old', 'ralph_schema', 'UPDATE') AS version",
    );
    expect(rights).toEqual({ rows: true, version: false });
  });

  it("find what an earlier index held, after it was replaced", async () => {
    const address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
    const cwd = scratchRepository();
    const ralph = (...args: string[]) => runRalph(args, { cwd, env: { RALPH_STORE_URL: address } });
    await ralph("task", "init", "Mend the ostrich gear");
    for (const statement of [
      "DROP TABLE search_documents",
      "CREATE TABLE search_documents (number INTEGER)",
      "CREATE TABLE search_postings (word TEXT)",
      "UPDATE ralph_schema SET version = 16",
    ])
      await query(address, statement);
    expect((await ralph("search", "ostrich")).stderr).toContain("ralph store create");
    expect((await ralph("store", "create", address)).status).toBe(0);
    expect((await ralph("search", "ostrich", "--json")).stdout).toContain("task-001");
  });

  it("refuse a newer one in one line, and change nothing", async () => {
    const address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
    await query(address, `UPDATE ralph_schema SET version = ${serverVersion + 1}`);
    const cwd = scratchRepository();
    for (const args of [
      ["task", "init", "Anything"],
      ["task", "list"],
      ["store", "create", address],
    ]) {
      const { status, stderr } = await runRalph(args, { cwd, env: { RALPH_STORE_URL: address } });
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(
          new RegExp(`^Error: [^\\n]*made by a newer Ralph \\(schema ${serverVersion + 1}[^\\n]*\\n$`),
        ),
      ]);
    }
    expect(await query(address, "SELECT * FROM projects")).toEqual([]);
    expect(await query(address, "SELECT version FROM ralph_schema")).toEqual([
      { version: serverVersion + 1 },
    ]);
  });

  it("leave each other's index alone", async () => {
    const address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
    const ralph = (...args: string[]) =>
      runRalph(args, { cwd, env: { RALPH_STORE_URL: address, RALPH_PROJECT_KEY: "both" } });
    const cwd = scratchRepository();
    expect((await ralph("task", "init", "Mend the ostrich gear")).status).toBe(0);
    const [owner] = await query(address, "SELECT project FROM projects WHERE key = 'both'");
    const sql = await openProjectSql(address, Number(owner?.project));
    onTestFinished(() => sql.close());
    const newer = lexicalPostgres(sql, derivationVersion + 1);
    await newer.put({
      ...{ kind: "task", id: "task-001", source: "", title: "Ostrich", body: "", tags: "", files: "" },
      ...{ errors: "", labels: [], time: 0 },
    });
    const ofNewer = () =>
      query(
        address,
        `SELECT id, words::text FROM search_documents WHERE version = ${derivationVersion + 1} ORDER BY 1`,
      );
    const before = await ofNewer();
    expect(before).not.toEqual([]);
    expect((await ralph("task", "init", "Mend the walrus gear")).status).toBe(0);
    expect((await ralph("index", "rebuild")).status).toBe(0);
    expect(await ofNewer()).toEqual(before);
    expect((await ralph("search", "ostrich", "--json")).stdout).toContain("task-001");
  });
});
