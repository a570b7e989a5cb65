import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import {
  lackOfPostgres,
  type PostgresServer,
  query,
  startPostgres,
} from "../../support/postgres/postgres-server.js";
import { runRalph } from "../../support/run-ralph.js";
import { scratchRepository } from "../../support/scratch.js";

const as = (role: string, address: string) => address.replace("//owner@", `//${role}@`);

describe.skipIf(lackOfPostgres() !== undefined)("row security", () => {
  let server: PostgresServer;
  let address: string;

  beforeAll(async () => {
    server = await startPostgres();
    address = await server.makeDatabase();
    for (const role of ["ann", "bo"])
      await createPostgresStore({
        ...{ address, environment: {}, role, rowSecurity: true },
        projects: [`example.com/${role}`],
      });
  }, 60_000);
  afterAll(() => server.stop());

  const ralph = (role: string, project: string, args: string[]) =>
    runRalph(args, {
      cwd: scratchRepository(),
      env: { RALPH_STORE_URL: as(role, address), RALPH_PROJECT_KEY: `example.com/${project}` },
    });
  const tables = async () =>
    (
      await query(
        address,
        "SELECT DISTINCT table_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'project'",
      )
    ).map(({ name }) => String(name));

  it("lets a role work on its project, and nobody else see or change it, even with SQL by hand", async () => {
    for (const args of [
      ["task", "init", "Mend the ostrich gear"],
      ["task", "start", "task-001"],
      ["task", "complete", "task-001", "--outcome", "success", "--worked", "oil the ostrich gear"],
    ])
      expect(await ralph("ann", "ann", args)).toMatchObject({ status: 0 });
    expect((await ralph("ann", "ann", ["recall", "mend the ostrich gear"])).stdout).toContain(
      "oil the ostrich",
    );
    expect((await ralph("bo", "ann", ["recall", "mend the ostrich gear"])).stdout).not.toContain("ostrich");
    expect(await ralph("bo", "ann", ["task", "init", "Steal"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^Error: This user is no member of the project[^\n]*--project[^\n]*\n$/),
    });
    const [owner] = await query(address, "SELECT project FROM projects WHERE key = 'example.com/ann'");
    const project = Number(owner?.project);
    const before = await snapshot(project);
    for (const table of await tables()) {
      expect([
        table,
        await query(as("bo", address), `SELECT * FROM ${table} WHERE project = ${project}`),
      ]).toEqual([table, []]);
      for (const change of [
        `DELETE FROM ${table} WHERE project = ${project}`,
        `UPDATE ${table} SET project = project WHERE project = ${project}`,
        `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, '{"project": ${project}}')).*`,
      ])
        await query(as("bo", address), change).catch(() => undefined);
    }
    for (const attempt of [
      `INSERT INTO project_members VALUES (${project}, 'bo')`,
      "ALTER TABLE tasks DISABLE ROW LEVEL SECURITY",
      "DROP POLICY members_only ON tasks",
      "SET ROLE ann",
      "INSERT INTO projects (key) VALUES ('example.com/own')",
      `INSERT INTO tasks (project, number, uuid, description, created, updated, status, total_attempts, tags, tag_list, related_tasks, constraints)
       VALUES (${project}, 99, 'u', 'd', 'c', 'u', 'running', 0, '[]', '', '[]', '[]')`,
    ])
      await expect(query(as("bo", address), attempt), attempt).rejects.toThrow();
    expect(await snapshot(project)).toEqual(before);
    expect(await query(as("bo", address), "SELECT member FROM project_members")).toEqual([{ member: "bo" }]);
  });

  it("counts what a role is a member of as its own, and forgets a role that was dropped", async () => {
    await query(address, "CREATE ROLE carl LOGIN");
    await createPostgresStore({ address, environment: {}, role: "carl" });
    expect((await ralph("carl", "ann", ["task", "list"])).stdout).not.toContain("ostrich");
    await query(address, "GRANT ann TO carl");
    expect((await ralph("carl", "ann", ["task", "list"])).stdout).toContain("ostrich");
    await query(address, "INSERT INTO project_members SELECT project, 'nobody-there' FROM projects");
    expect((await ralph("ann", "ann", ["task", "list"])).status).toBe(0);
  });

  it("still searches the documents of one project only", async () => {
    await query(
      address,
      `INSERT INTO search_documents (project, version, kind, id, source, labels, time, length, words)
       SELECT project, 1, 'task', 'task-' || n, '', '', 0, 1, 'word'::tsvector FROM projects, generate_series(1, 10000) AS n`,
    );
    await query(address, "ANALYZE search_documents");
    const plan = await query(
      as("ann", address),
      "EXPLAIN SELECT id FROM search_documents WHERE project = 1 AND version = 1 AND kind = 'note' AND words @@ 'word'",
    );
    const text = plan.map((line) => line["QUERY PLAN"]).join("\n");
    expect(text).toMatch(/Index Cond: .*project/);
    expect(text).not.toMatch(/Seq Scan on search_documents/);
  });

  it("is needed to give a role single projects", async () => {
    const open = await server.makeDatabase();
    await createPostgresStore({ address: open, environment: {} });
    await expect(
      createPostgresStore({ address: open, environment: {}, role: "ann", projects: ["a"] }),
    ).rejects.toMatchObject({ code: "wrong-use", hint: expect.stringContaining("--row-security") });
  });

  async function snapshot(project: number) {
    const rows: Record<string, unknown> = {};
    for (const table of await tables())
      rows[table] = await query(address, `SELECT * FROM ${table} WHERE project = ${project} ORDER BY 1, 2`);
    return rows;
  }
});
