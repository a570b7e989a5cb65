import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import { startProxy } from "../../support/postgres/postgres-proxy.js";
import {
  lackOfPostgres,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres/postgres-server.js";
import { runRalph } from "../../support/run-ralph.js";
import { scratchRepository } from "../../support/scratch.js";

const failedCheck = {
  tool: "Bash",
  params: { command: "npx tsc" },
  success: false,
  error: "src/login.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
};
const edit = { tool: "Edit", params: { file_path: "src/login.ts" }, success: true };
const ten = Array.from({ length: 10 }, (_, n) => ({ ...edit, idempotency_key: `edit-${n}` }));

describe.skipIf(lackOfPostgres() !== undefined)("round trips to a team's store", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it("are few for each command", async () => {
    const { tripsOf } = await filledProject();
    const counts = {
      recall: await tripsOf(["recall", "the login timeout of the parser"]),
      start: await tripsOf(["task", "start", "task-003"]),
      log: await tripsOf(["task", "log", "task-003"], [edit]),
      logOfTen: await tripsOf(["task", "log", "task-003"], [failedCheck, ...ten]),
      complete: await tripsOf(["task", "complete", "task-003", "--outcome", "success"]),
      notes: await tripsOf(["memory", "search", "login"]),
    };
    expect(counts.recall).toBeLessThanOrEqual(6);
    expect(counts.start).toBeLessThanOrEqual(8);
    expect(counts.log).toBeLessThanOrEqual(3);
    expect(counts.logOfTen).toBeLessThanOrEqual(3);
    expect(counts.complete).toBeLessThanOrEqual(30);
    expect(counts.notes).toBe(0);
  });

  /** Three tasks with failures, reflections and lessons, of which the last one is about to be tried again. */
  async function filledProject() {
    const address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
    const proxy = await startProxy(address, { roundTripMs: 40 });
    onTestFinished(() => proxy.close());
    const cwd = scratchRepository();
    const ralph = async (url: string, args: string[], entries: object[] = []) => {
      const input = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
      const { status, stderr } = await runRalph(args, { cwd, input, env: { RALPH_STORE_URL: url } });
      if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
    };
    await ralph(address, ["memory", "add", "The login needs a fresh token"]);
    for (const [task, outcome] of [
      ["task-001", "success"],
      ["task-002", "success"],
      ["task-003", "failure"],
    ] as const) {
      await ralph(address, ["task", "init", `Fix the login timeout of the parser: ${task}`]);
      await ralph(address, ["task", "start", task]);
      await ralph(address, ["task", "log", task], [failedCheck, edit, { ...failedCheck, success: true }]);
      await ralph(address, [
        "task",
        "complete",
        task,
        "--outcome",
        outcome,
        "--reason",
        "the token had expired",
      ]);
    }
    const tripsOf = async (args: string[], entries?: object[]) => {
      proxy.takeSent();
      await ralph(proxy.address, args, entries);
      const trips = Math.max(0, ...proxy.takeSent().map(({ trip }) => trip));
      // The first tells what state the store is in, and belongs to connecting.
      return Math.max(0, trips - 1);
    };
    return { tripsOf };
  }
});
