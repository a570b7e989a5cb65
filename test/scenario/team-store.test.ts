import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createPostgresStore } from "../../src/store/postgres/open-postgres-store.js";
import { fileAppears } from "../support/eventually.js";
import {
  lackOfPostgres,
  type PostgresServer,
  query,
  startPostgres,
} from "../support/postgres/postgres-server.js";
import { type RalphResult, runRalph } from "../support/run-ralph.js";
import { git, scratchFolder } from "../support/scratch.js";
import { loopRepository } from "../support/scripted-agent.js";

describe.skipIf(lackOfPostgres() !== undefined)("a memory that a team shares", () => {
  let server: PostgresServer;
  let address: string;
  let clones = 0;

  beforeAll(async () => {
    server = await startPostgres({ fsync: "on" });
    address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
  }, 60_000);
  afterAll(() => server.stop());

  const nowhere = () => address.replace(/host=[^&]*/, "host=%2Fnowhere");

  /** On a machine of its own: another home, another name. */
  function clone(repository: string) {
    const cwd = scratchFolder();
    git(cwd, "init", "--quiet");
    clones += 1;
    const url =
      clones % 2 === 0 ? `git@example.com:team/${repository}.git` : `https://example.com/team/${repository}`;
    git(cwd, "remote", "add", "origin", url);
    const own = { RALPH_HOST: `machine-${clones}`, RALPH_AS: `person-${clones}` };
    const ralph = (args: string[], { input, isAway = false }: { input?: string; isAway?: boolean } = {}) =>
      runRalph(args, {
        cwd,
        env: { ...own, RALPH_STORE_URL: isAway ? nowhere() : address },
        ...(input !== undefined && { input }),
      });
    const json = async (args: string[]) => JSON.parse((await ralph([...args, "--json"])).stdout);
    return { cwd, ralph, json, own };
  }

  const failing = `${JSON.stringify({
    tool: "Bash",
    params: { command: "npm test" },
    success: false,
    error: "Error: duplicate key value violates unique constraint payments_key",
  })}\n`;
  const good = (result: RalphResult) => expect({ ...result, stdout: "" }).toMatchObject({ status: 0 });

  it("gives one clone the lesson of another, and leaves no files where it is only read", async () => {
    const [one, other] = [clone("shop"), clone("shop")];
    good(await one.ralph(["task", "init", "Make the payment retry idempotent"]));
    good(await one.ralph(["task", "start", "task-001"]));
    good(await one.ralph(["task", "log", "task-001"], { input: failing }));
    good(
      await one.ralph([
        "task",
        "complete",
        "task-001",
        "--outcome",
        "success",
        "--worked",
        "use ON CONFLICT DO NOTHING",
      ]),
    );
    const { stdout } = await other.ralph([
      "recall",
      "payment fails: duplicate key value violates unique constraint",
    ]);
    expect(stdout).toContain("use ON CONFLICT DO NOTHING");
    for (const reading of [["status", "--all"], ["learnings", "list"], ["history", "task-001"], ["metrics"]])
      good(await other.ralph(reading));
    const doctor = await other.ralph(["doctor"]);
    expect(doctor.stdout).toMatch(/learnings\s+1 learning as recorded/);
    expect(readdirSync(other.cwd).toSorted()).toEqual([".git", ".home"]);
    expect((await clone("other").ralph(["recall", "payment duplicate key value"])).stdout).not.toContain(
      "CONFLICT",
    );
  });

  it("lets one of two accept a handoff", async () => {
    const [one, other] = [clone("handoffs"), clone("handoffs")];
    good(await one.ralph(["handoff", "create", "--from", "api", "--to", "web", "--done", "the endpoint"]));
    const accepted = await Promise.all(
      [one, other].map(({ ralph }) => ralph(["handoff", "accept", "handoff-001", "--agent", "web"])),
    );
    expect(accepted.map(({ status }) => status).toSorted()).toEqual([0, 1]);
    const third = clone("handoffs");
    expect((await third.ralph(["handoff", "accept", "handoff-001"])).status).toBe(1);
    expect(readdirSync(third.cwd)).not.toContain(".ralph");
  });

  it("lets another machine take over the run of one that is gone, once its lease has lapsed, and shows who works on what", async () => {
    const script =
      "[ $n = 1 ] && { echo begun > seen/begun; while :; do sleep 0.1; done; }; echo '<promise>COMPLETE</promise>'";
    const [dead, other] = [loopRepository(script), loopRepository("echo '<promise>COMPLETE</promise>'")];
    const on = (name: string) => ({
      ...{ RALPH_STORE_URL: address, RALPH_PROJECT_KEY: "taken-over" },
      ...{ RALPH_HOST: name, RALPH_AS: `${name}'s owner` },
    });
    const { child, ended } = dead.start(["run", "Make it good"], on("dead-box"));
    await fileAppears(join(dead.cwd, "seen/begun"));
    child.kill("SIGKILL");
    await ended;
    const there = { env: on("next-box") };
    const all = await other.ralph(["status", "--all", "--json"], there);
    expect(JSON.parse(all.stdout)).toMatchObject([
      {
        ...{ task_id: "task-001", objective: "Make it good", state: "running elsewhere" },
        ...{ host: "dead-box", made_by: "dead-box's owner", agent: "scripted" },
      },
    ]);
    expect((await other.ralph(["status", "--all"], there)).stdout).toMatch(
      /task-001 +dead-box's owner .*dead-box/,
    );
    expect((await other.ralph(["resume", "task-001"], there)).stderr).toMatch(
      /on dead-box \(dead-box's owner\)/,
    );
    await query(address, "UPDATE runs SET lease_until = '2020-01-01T00:00:00.000Z' WHERE ended IS NULL");
    const untrusted = await other.ralph(["resume", "task-001"], {
      env: { ...on("next-box"), RALPH_TRUST: "" },
    });
    expect([untrusted.status, untrusted.stderr]).toEqual([
      2,
      expect.stringMatching(/not trusted: .*resume task-001/),
    ]);
    const resumed = await other.ralph(["resume", "task-001"], there);
    expect([resumed.status, resumed.stdout + resumed.stderr]).toEqual([
      0,
      expect.stringContaining("completed"),
    ]);
    const history = await other.ralph(["history", "task-001", "--json"], there);
    expect(JSON.parse(history.stdout)).toMatchObject({
      ...{ status: "completed", made_by: "dead-box's owner" },
      attempts: [{ outcome: { status: "success" } }],
    });
    expect((await other.ralph(["status", "--all"], there)).stderr).toContain("Nobody works on a task");
  });

  it("keeps what was to be recorded while the server is away, and delivers it once, in order", async () => {
    const { ralph, json } = clone("away");
    good(await ralph(["memory", "add", "Deploys go through the queue"]));
    good(await ralph(["task", "init", "Make deploys quick"]));
    good(await ralph(["task", "start", "task-001"]));
    const recalled = await ralph(["recall", "how do deploys go?"], { isAway: true });
    expect(recalled.stdout).toContain("Deploys go through the queue");
    expect(recalled.stderr).toMatch(/^Note: The store cannot be reached: [^\n]*\n$/);
    expect((await ralph(["task", "log", "task-001"], { input: failing, isAway: true })).stdout).toBe(
      "Logged 0; 1 waiting on this machine\n",
    );
    good(await ralph(["task", "complete", "task-001", "--outcome", "failure"], { isAway: true }));
    expect((await ralph(["status"], { isAway: true })).stderr).toContain("2 records to be delivered");
    expect((await ralph(["sync"], { isAway: true })).status).toBe(1);
    expect((await ralph(["sync"])).stdout).toMatch(/^Delivered 2 records/);
    const { attempts, status } = await json(["history", "task-001"]);
    expect(status).toBe("failed");
    expect(attempts).toHaveLength(1);
    expect(attempts[0].execution.actions_performed).toBe(1);
    expect((await ralph(["sync"])).stdout).toMatch(/^Nothing is queued/);
  });

  it("records a session of an agent that began while the server was away", async () => {
    const { cwd, ralph, json } = clone("sessions");
    const hook = (event: string, fields: object, isAway: boolean) =>
      ralph(["hook", "claude", event], {
        input: JSON.stringify({ session_id: "s", cwd, hook_event_name: event, ...fields }),
        isAway,
      });
    const used = { tool_name: "Bash", tool_input: { command: "npm test -- cart" }, tool_use_id: "u1" };
    good(await hook("UserPromptSubmit", { prompt: "Make the cart total round to cents" }, true));
    good(await hook("PostToolUse", { ...used, tool_response: { stdout: "ok", stderr: "" } }, true));
    good(await hook("Stop", { last_assistant_message: "Rounded." }, false));
    good(await hook("SessionEnd", { reason: "other" }, false));
    // On a slow machine a hook gives up before it is done: then the next commands do the rest.
    const finished = await vi.waitFor(
      async () => {
        const task = await json(["history", "task-001"]);
        expect(task.status).toBe("completed");
        return task;
      },
      { timeout: 40_000, interval: 200 },
    );
    expect(finished.description).toBe("Make the cart total round to cents");
    expect(finished.attempts).toHaveLength(1);
    expect(finished.attempts[0].execution.actions_performed).toBe(1);
  });

  it("completes a run although the server is gone for a while", async () => {
    const repository = loopRepository(
      "echo begun > seen/begun; while [ ! -e seen/go ]; do sleep 0.05; done; echo good > work.txt",
    );
    const env = { RALPH_STORE_URL: address };
    const running = repository.start(["run", "Make it good", "--verify", "grep -q good work.txt"], env);
    await fileAppears(join(repository.cwd, "seen/begun"));
    await server.kill();
    writeFileSync(join(repository.cwd, "seen/go"), "");
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    await server.start();
    const ended = await running.ended;
    expect(ended.status).toBe(0);
    expect(ended.stderr.split("waiting for it")).toHaveLength(2);
    const rows = await query(
      address,
      "SELECT tasks.status, count(runs.run_key) AS runs FROM tasks JOIN projects USING (project) JOIN runs ON runs.project = tasks.project WHERE key LIKE '%' || $1 GROUP BY tasks.status",
      [repository.cwd],
    );
    expect(rows).toEqual([{ status: "completed", runs: "1" }]);
  });
});
