import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { leaseMs } from "../../src/domain/tasks/run.js";
import { openMemory } from "../../src/memory/open-memory.js";
import { runsOf } from "../../src/memory/runs/runs.js";
import { thisRunner } from "../../src/processes/runner.js";
import { editDatabase, leaseLapses, onAnotherMachine } from "../support/edit-database.js";
import { eventually, fileAppears } from "../support/eventually.js";
import { type RalphResult, ralphEnvironment, ralphProgram } from "../support/run-ralph.js";
import { linesOf, loopRepository, parseLines } from "../support/scripted-agent.js";
import { seed, seededRandom } from "../support/seeded-random.js";

const { next: random } = seededRandom();
console.log(`RALPH_SEED=${seed}`);

const canUnshare = spawnSync("unshare", ["--uts", "--pid", "--fork", "--mount-proc", "true"]).status === 0;
const quick = { RALPH_RUN_FIRST_PAUSE_SECONDS: "0.02", RALPH_RUN_KILL_GRACE_SECONDS: "0.5" };

// Hooks of single tests do not know whose they are when tests run at the same time.
const containers: ChildProcess[] = [];
afterAll(() => {
  for (const child of containers)
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
});

/** Runs Ralph under another host name, or in a space of process ids of its own, as a container does. */
function inContainer(cwd: string, host: string, kind: "host name" | "container", args: readonly string[]) {
  const spaces = kind === "container" ? ["--pid", "--fork", "--kill-child", "--mount-proc"] : [];
  const script = 'hostname "$1"; shift; exec "$@"';
  const program = ["sh", "-c", script, "sh", host, process.execPath, ralphProgram, ...args];
  const child = spawn("unshare", ["--uts", ...spaces, ...program], {
    cwd,
    env: ralphEnvironment(cwd, quick),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<RalphResult>((done) =>
    child.on("close", (status) => done({ status, stdout, stderr })),
  );
  containers.push(child);
  return { child, ended, printed: () => stdout };
}

/** Silent and endless the first time, done after that. */
const agent = `echo $n > work.txt
[ $n = 1 ] && { echo > seen/begun; exec sleep 600; }
echo '<promise>COMPLETE</promise>'`;

describe.skipIf(!canUnshare).concurrent("a task whose run was killed", () => {
  it("under another host name goes on at once", async () => {
    const { cwd, ralph, groupsLeft } = loopRepository(agent);
    const { child, ended } = inContainer(cwd, "box-a", "host name", ["run", "Try"]);
    await fileAppears(join(cwd, "seen/begun"));
    for (const group of groupsLeft()) process.kill(-group, "SIGKILL");
    child.kill("SIGKILL");
    await ended;
    const { status, stderr } = await ralph(["resume"]);
    expect([status, stderr]).toEqual([0, expect.not.stringContaining("Error")]);
  });

  it("in a container that is gone goes on when its lease has lapsed, at once by force, and is held before", async () => {
    const repositories = [loopRepository(agent), loopRepository(agent), loopRepository(agent)];
    await Promise.all(
      repositories.map(async ({ cwd }) => {
        const { child, ended } = inContainer(cwd, "box-b", "container", ["run", "Try"]);
        await fileAppears(join(cwd, "seen/begun"));
        // Takes the whole container with it.
        child.kill("SIGKILL");
        await ended;
      }),
    );
    const killed = Date.now();
    const [first, second, third] = repositories as [
      (typeof repositories)[0],
      (typeof repositories)[0],
      (typeof repositories)[0],
    ];
    expect((await second.ralph(["resume", "--force"])).status).toBe(0);
    expect((await third.ralph(["stop", "--force"])).status).toBe(0);
    expect((await third.ralph(["resume"])).status).toBe(0);
    expect(await first.ralph(["resume"])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/is being run by process \d+ on box-b, which holds it until .*--force/),
    });
    let status: number | null = null;
    while (status !== 0 && Date.now() < killed + leaseMs + 30_000) {
      await pause(2000);
      ({ status } = await first.ralph(["resume"]));
    }
    expect(status).toBe(0);
    expect(await first.json(["history", "task-001"])).toMatchObject({
      status: "completed",
      total_attempts: 1,
    });
  });
});

describe.skipIf(!canUnshare).concurrent("a task whose run is alive in a container", () => {
  it("is kept by the run although its agent is silent for longer than the lease", async () => {
    const { cwd, ralph, json } = loopRepository(agent);
    const { child, ended } = inContainer(cwd, "box-c", "container", ["run", "Try"]);
    await fileAppears(join(cwd, "seen/begun"));
    const end = Date.now() + leaseMs + 15_000;
    while (Date.now() < end) {
      await pause(5000);
      expect(await json(["status"])).toMatchObject([{ state: "running elsewhere", host: "box-c" }]);
      expect((await ralph(["resume"])).status).toBe(2);
    }
    // Nothing in the container is signalled by its number, which means another process out here.
    expect((await ralph(["stop"])).status).toBe(1);
    expect((await ralph(["stop", "--force"])).status).toBe(0);
    const { status, stderr } = await ended;
    expect([status, stderr]).toEqual([1, expect.stringContaining("This run of task-001 no longer holds it")]);
    expect(child.exitCode).toBe(1);
  });

  it("is let go by the run when somebody took it over: it ends its agent and records nothing more", async () => {
    const { cwd, groupsLeft, json, start } = loopRepository(agent);
    const { ended } = start(["run", "Try"]);
    await fileAppears(join(cwd, "seen/begun"));
    expect(groupsLeft()).toHaveLength(1);
    const memory = await openMemory({ root: cwd, environment: { RALPH_HOME: join(cwd, ".home") } });
    const runs = runsOf(memory);
    const [old] = await runs.list();
    // The agent is not touched: the run has to notice by itself.
    const runId = await runs.begin("task-001", (old as NonNullable<typeof old>).options, thisRunner(), {
      force: true,
    });
    const { status, stderr } = await ended;
    expect([status, stderr]).toEqual([1, expect.stringContaining("taken over by process")]);
    expect(groupsLeft()).toEqual([]);
    expect((await runs.list()).map(({ id, end }) => [id, end])).toEqual([[runId, undefined]]);
    expect((await json(["history", "task-001"])).attempts).toMatchObject([{ results: [] }]);
    await memory.close();
  });
});

describe.concurrent("eight processes that take over a lapsed lease at once", () => {
  it("are told apart: one wins, each of six times", async () => {
    for (let round = 0; round < 6; round += 1) {
      const { start, cwd, groupsLeft, starts, json } = loopRepository(
        "[ $n = 1 ] && { echo > seen/begun; exec sleep 600; }; sleep 1; echo '<promise>COMPLETE</promise>'",
      );
      const { child, ended } = start(["run", "Try"]);
      await fileAppears(join(cwd, "seen/begun"));
      child.kill("SIGKILL");
      await ended;
      for (const group of groupsLeft()) process.kill(-group, "SIGKILL");
      await editDatabase(cwd, ...onAnotherMachine, leaseLapses);
      const all = await Promise.all(
        Array.from({ length: 8 }, async () => {
          await pause(random() * 50);
          return start(["resume", "--json"]).ended;
        }),
      );
      const won = all.filter(({ status }) => status === 0);
      const words = all.filter(({ status }) => status !== 0).map(({ stderr }) => stderr);
      expect([round, won.length, starts()]).toEqual([round, 1, 2]);
      for (const word of words) expect(word).toMatch(/is being run by process|is already completed/);
      expect(await json(["history", "task-001"])).toMatchObject({ status: "completed", total_attempts: 1 });
    }
  });
});

describe.skipIf(!canUnshare).concurrent("a run that goes from host to host", () => {
  it("keeps every iteration that was told, in ten kills", async () => {
    const { cwd, json, ralph, groupsLeft } = loopRepository("echo $n >> work.txt; sleep 0.05");
    const told = new Set<number>();
    for (let kill = 0; kill < 10; kill += 1) {
      const args =
        kill === 0
          ? ["run", "Try", "--verify", "false", "--max-iterations", "300", "--json"]
          : ["resume", "--json"];
      const { child, ended, printed } = inContainer(cwd, `box-${kill}`, "host name", args);
      // However slow the machine is, the first one tells of an iteration.
      const awaited = kill === 0 ? '"iteration-ended"' : '"attempt-started"';
      await eventually(() => printed().includes(awaited));
      await pause(random() * 600);
      child.kill("SIGKILL");
      const { stdout } = await ended;
      const whole = stdout.slice(0, stdout.lastIndexOf("\n") + 1);
      for (const { iteration } of linesOf(parseLines(whole), "iteration-ended")) told.add(Number(iteration));
    }
    const task = await json(["history", "task-001"]);
    const kept = task.attempts.flatMap(({ results }: { results: { iteration: number }[] }) =>
      results.map(({ iteration }) => iteration),
    );
    expect(told.size).toBeGreaterThan(0);
    expect([...told].filter((iteration) => !kept.includes(iteration))).toEqual([]);
    expect((await ralph(["stop"])).status).toBe(0);
    await eventually(() => groupsLeft().length === 0);
    expect((await ralph(["doctor"])).status).toBe(0);
  });
});

describe.concurrent("ralph stop --force", () => {
  it("kills what does not react, and what it started", async () => {
    const { start, ralph, cwd, groupsLeft } = loopRepository(agent);
    const { child, ended } = start(["run", "Try"]);
    await fileAppears(join(cwd, "seen/begun"));
    child.kill("SIGSTOP");
    const { status, stdout } = await ralph(["stop"]);
    expect([status, stdout]).toEqual([1, expect.stringContaining('"ralph stop --force task-001" kills it')]);
    expect((await ralph(["stop", "--force"])).status).toBe(0);
    await ended;
    expect([child.signalCode, groupsLeft()]).toEqual(["SIGKILL", []]);
  });
});
