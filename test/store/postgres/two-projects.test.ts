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

describe.skipIf(lackOfPostgres() !== undefined)("two projects in one database", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it("see and change nothing of each other", async () => {
    const address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
    const inProject = (cwd: string) => async (args: string[], input?: string) => {
      const result = await runRalph(args, {
        cwd,
        env: { RALPH_STORE_URL: address },
        ...(input !== undefined && { input }),
      });
      expect(result.status, `${args.join(" ")}: ${result.stderr}`).toBe(0);
      return result.stdout;
    };
    const [one, other] = [inProject(scratchRepository()), inProject(scratchRepository())];
    const work = async (ralph: typeof one, word: string) => {
      expect(await ralph(["task", "init", `Mend the ${word} gear`])).toContain("task-001");
      await ralph(["task", "start", "task-001"]);
      const action = { tool: "Bash", params: { command: word }, success: true };
      await ralph(["task", "log", "task-001"], `${JSON.stringify(action)}\n`);
      await ralph([
        "task",
        "complete",
        "task-001",
        "--outcome",
        "success",
        "--worked",
        `oiling the ${word} gear`,
      ]);
    };
    await work(one, "ostrich");
    const rowsOfOne = () => rowsOfProject(address, "ostrich");
    const before = await rowsOfOne();
    for (const asked of [
      ["task", "list"],
      ["learnings", "list"],
      ["recall", "mend the ostrich gear"],
      ["status"],
      ["metrics"],
    ])
      expect(await other(asked), asked.join(" ")).not.toMatch(/ostrich gear|oiling/);
    await work(other, "walrus");
    expect(await rowsOfOne()).toEqual(before);
    expect(await one(["recall", "mend the walrus gear"])).not.toContain("oiling the walrus");
    expect(await one(["task", "list"])).not.toContain("walrus");
  });

  /** Every row of the project that holds a task with this word. */
  async function rowsOfProject(address: string, word: string) {
    const [owner] = await query(address, "SELECT project FROM tasks WHERE description LIKE $1", [
      `%${word}%`,
    ]);
    const tables = await query(
      address,
      "SELECT DISTINCT table_name FROM information_schema.columns WHERE table_schema = 'public' AND column_name = 'project' ORDER BY 1",
    );
    const rows: Record<string, unknown> = {};
    for (const { table_name: table } of tables)
      rows[String(table)] = await query(address, `SELECT * FROM ${table} WHERE project = $1 ORDER BY 1, 2`, [
        owner?.project,
      ]);
    return rows;
  }
});
