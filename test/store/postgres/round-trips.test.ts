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

/** Two failures that nobody has met before, each with what helped. */
const newTroubles = [
  ["npm run migrate", 'error: relation "orders" does not exist at character 15', "run the seed first"],
  ["cargo build", "error[E0502]: cannot borrow `cache` as mutable", "clone the key instead of the cache"],
].flatMap(([command, error, reasoning]) => [
  { tool: "Bash", params: { command }, success: false, error },
  { ...edit, reasoning },
  { tool: "Bash", params: { command }, success: true },
]);

const session = {
  session_id: "11111111-2222-4333-8444-555555555555",
  transcript_path: "",
};

describe.skipIf(lackOfPostgres() !== undefined)("round trips to a team's store", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it("are few for each command", async () => {
    const { ralph, tripsOf } = await filledProject();
    const counts = {
      recall: await tripsOf(["recall", "the login timeout of the parser"]),
      init: await tripsOf(["task", "init", "Move the orders to the new cache"]),
      start: await tripsOf(["task", "start", "task-003"]),
      log: await tripsOf(["task", "log", "task-003"], [edit]),
      logOfTen: await tripsOf(["task", "log", "task-003"], [failedCheck, ...ten]),
      // With a brief to credit, and findings of earlier tasks.
      complete: await tripsOf(["task", "complete", "task-003", "--outcome", "success"]),
      notes: await tripsOf(["memory", "search", "login"]),
      learnings: await tripsOf(["learnings", "list"]),
      history: await tripsOf(["history", "task-003"]),
    };
    expect(counts.recall).toBeLessThanOrEqual(20);
    expect(counts.init).toBeLessThanOrEqual(2);
    expect(counts.start).toBeLessThanOrEqual(27);
    expect(counts.log).toBeLessThanOrEqual(3);
    expect(counts.logOfTen).toBeLessThanOrEqual(3);
    expect(counts.complete).toBeLessThanOrEqual(20);
    expect(counts.notes).toBe(0);
    expect(counts.learnings).toBeLessThanOrEqual(3);
    expect(counts.history).toBeLessThanOrEqual(3);
    await ralph(["handoff", "create", "--from", "planner", "--to", "builder", "--done", "the plan"]);
    expect(await tripsOf(["handoff", "accept", "handoff-001"])).toBeLessThanOrEqual(2);
  });

  it.each([["auto"], ["review"]])(
    "are few for a task with several new findings, with promotion %s",
    async (promotion) => {
      const { ralph, tripsOf } = await filledProject();
      await ralph(["task", "init", "Move the orders to the new cache"]);
      await ralph(["task", "start", "task-004"]);
      await ralph(["task", "log", "task-004"], newTroubles);
      const said = [
        "--worked",
        "Renew the token rather than raising the timeout",
        "--reason",
        "the seed was missing",
      ];
      const complete = ["task", "complete", "task-004", "--outcome", "success", ...said];
      expect(await tripsOf(complete, [], { RALPH_LEARNINGS_PROMOTION: promotion })).toBeLessThanOrEqual(56);
    },
  );

  it("are few for the hooks of an agent", async () => {
    const { cwd, tripsOf } = await filledProject();
    const hook = (event: string, more: object = {}) =>
      tripsOf(["hook", "claude", event], [{ ...session, cwd, hook_event_name: event, ...more }]);
    const prompt = { prompt: "Fix the login timeout of the parser when the token is old" };
    expect(await hook("SessionStart", { source: "startup" })).toBeLessThanOrEqual(5);
    expect(await hook("UserPromptSubmit", prompt)).toBeLessThanOrEqual(20);
    const call = (id: string) => ({
      ...{ tool_name: "Bash", tool_input: { command: "npx tsc" }, tool_use_id: id },
      tool_response: { stdout: "ok" },
    });
    // The first one begins the task.
    expect(await hook("PostToolUse", call("t1"))).toBeLessThanOrEqual(11);
    expect(await hook("PostToolUse", call("t2"))).toBeLessThanOrEqual(3);
    expect(await hook("UserPromptSubmit", { prompt: "and the parser" })).toBeLessThanOrEqual(9);
    expect(await hook("Stop", { stop_hook_active: false })).toBeLessThanOrEqual(3);
    expect(await hook("SessionEnd", { reason: "exit" })).toBeLessThanOrEqual(18);
  });

  /** Three tasks with failures, reflections and lessons, of which the last one is about to be tried again. */
  async function filledProject() {
    const address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
    const proxy = await startProxy(address, { roundTripMs: 40 });
    onTestFinished(() => proxy.close());
    const cwd = scratchRepository();
    const run = async (
      url: string,
      args: string[],
      entries: object[] = [],
      env: Record<string, string> = {},
    ) => {
      const input = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
      const { status, stderr } = await runRalph(args, { cwd, input, env: { ...env, RALPH_STORE_URL: url } });
      if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
    };
    const ralph = (args: string[], entries?: object[]) => run(address, args, entries);
    await ralph(["memory", "add", "The login needs a fresh token"]);
    for (const [task, outcome] of [
      ["task-001", "success"],
      ["task-002", "success"],
      ["task-003", "failure"],
    ] as const) {
      await ralph(["task", "init", `Fix the login timeout of the parser: ${task}`]);
      await ralph(["task", "start", task]);
      await ralph(["task", "log", task], [failedCheck, edit, { ...failedCheck, success: true }]);
      await ralph(["task", "complete", task, "--outcome", outcome, "--reason", "the token had expired"]);
    }
    const tripsOf = async (args: string[], entries?: object[], env?: Record<string, string>) => {
      proxy.takeSent();
      await run(proxy.address, args, entries, env);
      const trips = Math.max(0, ...proxy.takeSent().map(({ trip }) => trip));
      // The first tells what state the store is in, and belongs to connecting.
      return Math.max(0, trips - 1);
    };
    return { cwd, ralph, tripsOf };
  }
});
