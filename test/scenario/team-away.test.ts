import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStore } from "../../src/store/postgres/open-postgres-store.js";
import { fileAppears } from "../support/eventually.js";
import { commandOf } from "../support/postgres/messages.js";
import { startProxy } from "../support/postgres/postgres-proxy.js";
import { lackOfPostgres, type PostgresServer, startPostgres } from "../support/postgres/postgres-server.js";
import { type RalphResult, runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";
import { loopRepository } from "../support/scripted-agent.js";

const failing = {
  tool: "Bash",
  params: { command: "npx tsc" },
  success: false,
  error: "src/cart.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
};
const solved = [
  failing,
  { tool: "Edit", params: { file_path: "src/cart.ts" }, reasoning: "Parsed the number first" },
  { tool: "Bash", params: { command: "npx tsc" }, success: true },
];

describe.skipIf(lackOfPostgres() !== undefined)("while a team's server is away", () => {
  let server: PostgresServer;
  let address: string;

  beforeAll(async () => {
    server = await startPostgres();
    address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
  }, 60_000);
  afterAll(() => server.stop());

  const nowhere = () => address.replace(/host=[^&]*/, "host=%2Fnowhere");
  const good = (result: RalphResult) => {
    expect({ ...result, stdout: "" }).toMatchObject({ status: 0 });
    return result.stdout;
  };

  function project() {
    const cwd = scratchRepository();
    const run = (url: string, args: string[], entries: readonly object[], env: Record<string, string>) => {
      const input = entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
      return runRalph(args, { cwd, input, env: { RALPH_STORE_URL: url, ...env } });
    };
    const away = (args: string[], entries: readonly object[] = []) => run(nowhere(), args, entries, {});
    const back = (args: string[], entries: readonly object[] = [], env = {}) =>
      run(address, args, entries, env);
    const json = async (args: string[]) => JSON.parse(good(await back([...args, "--json"])));
    return { cwd, away, back, json };
  }

  /** A task that was begun and ended without the server. */
  async function taskAway({ away }: ReturnType<typeof project>): Promise<string> {
    const id = good(await away(["task", "init", "Make the cart total right", "--format", "quiet"])).trim();
    expect(id).toMatch(/^task-local-[0-9a-f]{8}$/);
    expect(good(await away(["task", "start", id]))).toContain(`# Plan for attempt 1 of ${id}`);
    expect(good(await away(["task", "log", id], solved))).toBe("Logged 3\n");
    good(await away(["task", "complete", id, "--outcome", "success", "--worked", "Parse the number first"]));
    return id;
  }

  it("a task is begun, worked on and ended by command, and its record arrives later, once", async () => {
    const there = project();
    const { cwd, away, back, json } = there;
    const id = await taskAway(there);
    expect(good(await away(["history", id]))).toContain("Make the cart total right");
    expect((await away(["status"])).stderr).toContain("1 task to be delivered");
    // As if the machine died after the delivery, before it could forget the task.
    cpSync(join(cwd, ".ralph"), join(cwd, "kept"), { recursive: true });
    for (const _time of [1, 2]) {
      expect(good(await back(["sync"]))).toMatch(/^Delivered 1 task to /);
      expect(good(await back(["sync"]))).toMatch(/^Nothing is queued/);
      const { id: given, status, attempts } = await json(["history", id]);
      expect([given, status, attempts.length]).toEqual(["task-001", "completed", 1]);
      expect(attempts[0].execution.actions_performed).toBe(3);
      expect(await json(["task", "list"])).toHaveLength(1);
      const learned = (await json(["learnings", "list"])) as { type: string; sourceLoops: string[] }[];
      expect(learned.map(({ type }) => type).toSorted()).toEqual(["antipattern", "strategy"]);
      expect(learned.map(({ sourceLoops }) => sourceLoops)).toEqual([["task-001"], ["task-001"]]);
      rmSync(join(cwd, ".ralph"), { recursive: true });
      cpSync(join(cwd, "kept"), join(cwd, ".ralph"), { recursive: true });
    }
    good(await back(["sync"]));
    // The id that was given here is good for the team's other clones, too, and while the server is away again.
    const other = project();
    expect((await other.json(["task", "list"])) as unknown[]).toEqual([]);
    good(await back(["task", "start", id]));
    expect(good(await away(["task", "log", id], [failing]))).toBe("Logged 0; 1 waiting on this machine\n");
    expect((await json(["history", id])).attempts[1].execution.actions_performed).toBe(1);
  });

  it("a task that began here is gone on with there, as soon as the server is back", async () => {
    const { away, back, json } = project();
    const id = good(await away(["task", "init", "Make the cart total right", "--format", "quiet"])).trim();
    good(await away(["task", "start", id]));
    good(await away(["task", "log", id], [failing]));
    const logged = await back(["task", "log", id], [failing]);
    expect(logged.stderr).toBe(`Note: ${id} was delivered to the store, and is task-001 there\n`);
    good(await back(["task", "complete", "task-001", "--outcome", "failure"]));
    const { attempts, reflections } = await json(["history", "task-001"]);
    expect(attempts).toHaveLength(1);
    expect(attempts[0].execution.actions_performed).toBe(2);
    expect(reflections).toHaveLength(1);
  });

  it("a result whose delivery was cut off before anything was learned from it is learned from by the next", async () => {
    const { cwd, away, back, json } = project();
    good(await back(["task", "init", "Make the cart total right"]));
    good(await back(["task", "start", "task-001"]));
    good(await back(["task", "log", "task-001"], solved));
    good(await away(["task", "complete", "task-001", "--outcome", "success"]));
    cpSync(join(cwd, ".ralph"), join(cwd, "kept"), { recursive: true });
    good(await back(["sync"], [], { RALPH_LEARNINGS_PROMOTION: "off" }));
    expect(await json(["learnings", "list"])).toEqual([]);
    rmSync(join(cwd, ".ralph"), { recursive: true });
    cpSync(join(cwd, "kept"), join(cwd, ".ralph"), { recursive: true });
    good(await back(["sync"]));
    expect(await json(["learnings", "list"])).toMatchObject([{ type: "antipattern" }]);
    expect((await json(["history", "task-001"])).attempts).toHaveLength(1);
  });

  it("a result after which the server is gone is learned from once it is back", async () => {
    const { cwd, back, json } = project();
    good(await back(["task", "init", "Make the cart total right"]));
    good(await back(["task", "start", "task-001"]));
    good(await back(["task", "log", "task-001"], solved));
    const proxy = await startProxy(address, {
      change(message) {
        // The result is recorded: nothing that follows reaches the server.
        if (commandOf(message) === "COMMIT") setImmediate(() => void proxy.close());
        return message.bytes;
      },
    });
    const completed = await runRalph(["task", "complete", "task-001", "--outcome", "success"], {
      cwd,
      env: { RALPH_STORE_URL: proxy.address },
    });
    good(completed);
    expect(completed.stderr).toContain("queued on this machine");
    expect(good(await back(["sync"]))).toMatch(/^Delivered /);
    expect(await json(["learnings", "list"])).toMatchObject([{ type: "antipattern" }]);
    expect((await json(["history", "task-001"])).attempts).toHaveLength(1);
  });

  it("a run begins, hands its reflections on, and completes; nobody else takes it meanwhile, and its record arrives", async () => {
    const repository = loopRepository(
      `if [ $n = 1 ]; then echo "no luck"; else while [ ! -e seen/go ]; do sleep 0.05; done; echo good > work.txt; fi`,
    );
    const verify = ["--verify", "grep -q good work.txt || { echo 'error: E4711 the cart is empty'; false; }"];
    const [gone, there] = [{ RALPH_STORE_URL: nowhere() }, { RALPH_STORE_URL: address }];
    const running = repository.start(["run", "Make it good", ...verify], gone);
    await fileAppears(join(repository.cwd, "seen/pid-2"));
    expect(repository.prompts()[1]).toContain("Attempt 1, iteration 1: Still to solve: grep: work.txt");
    expect((await repository.ralph(["run", "Another", ...verify], { env: gone })).stderr).toContain(
      "is being run in this working tree",
    );
    const status = await repository.ralph(["status"], { env: there });
    expect(status.stdout).toMatch(/task-local-[0-9a-f]{8} +running/);
    expect((await repository.ralph(["sync"], { env: there })).stdout).toContain("1 task still waiting");
    writeFileSync(join(repository.cwd, "seen/go"), "");
    const { status: ended, stderr } = await running.ended;
    expect(ended).toBe(0);
    expect(stderr.match(/cannot be reached/g)).toHaveLength(1);
    expect((await repository.ralph(["sync"], { env: there })).stdout).toContain("Delivered 1 task");
    const { stdout } = await repository.ralph(["history", "task-001", "--json"], { env: there });
    const { description, status: state, attempts } = JSON.parse(stdout);
    expect([description, state]).toEqual(["Make it good", "completed"]);
    expect(attempts[0].results).toHaveLength(2);
  });

  it.each([
    ["here", true],
    ["after its delivery", false],
  ])("a run that was killed is resumed %s", async (_where, isStillAway) => {
    const repository = loopRepository(
      "if [ $n = 1 ]; then touch seen/begun; sleep 60; else echo good > work.txt; fi",
    );
    const gone = { RALPH_STORE_URL: nowhere() };
    const running = repository.start(["run", "Make it good", "--verify", "grep -q good work.txt"], gone);
    await fileAppears(join(repository.cwd, "seen/begun"));
    running.child.kill("SIGKILL");
    await running.ended;
    const there = { RALPH_STORE_URL: address };
    const resumed = await repository.ralph(["resume"], { env: isStillAway ? gone : there });
    expect(resumed.status).toBe(0);
    const { stdout } = await repository.ralph(["history", "task-001", "--json"], { env: there });
    expect(JSON.parse(stdout).status).toBe("completed");
  });
});
