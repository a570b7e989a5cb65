import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Runner } from "../../../src/domain/tasks/attempt.js";
import { hasLapsed, leaseUntil } from "../../../src/domain/tasks/run.js";
import { keepLease } from "../../../src/loop/keep-lease.js";
import { runsOf } from "../../../src/memory/runs/runs.js";
import { runnerOf, thisRunner } from "../../../src/processes/runner.js";
import { sqlitePath } from "../../../src/store/sqlite/open-sqlite-store.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import { runOptions } from "../../loop/iteration-samples.js";
import { editDatabase } from "../../support/edit-database.js";
import { eventually } from "../../support/eventually.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";
import { scratchRepository } from "../../support/scratch.js";

const elsewhere: Runner = { pid: 7, host: "old-box", started: "1", boot: "another", space: "pid:[1]" };
const start = "2026-06-01T12:00:00.000Z";
const secondsLater = (seconds: number) => new Date(Date.parse(start) + seconds * 1000).toISOString();

async function openRun(runner: Runner) {
  const now = { value: start };
  const root = scratchRepository();
  const memory = await openScratchMemory({ now, root });
  const runs = runsOf(memory);
  await memory.tasks.init({ description: "Round the discounts" });
  const runId = await runs.begin("task-001", runOptions(), runner);
  await memory.tasks.start("task-001", { runner, runId, hasBrief: false });
  return { now, root, memory, runs, runId };
}

const begin = ({ runs }: Awaited<ReturnType<typeof openRun>>, force = false) =>
  runs.begin("task-001", runOptions(), thisRunner(), { force });

describe("a run that cannot be seen from here", () => {
  it("holds its task until its lease lapses; then another takes over, and its attempt", async () => {
    const run = await openRun(elsewhere);
    const { now, memory, runs, runId } = run;
    for (const refused of [
      () => begin(run),
      () => memory.tasks.start("task-001"),
      () => memory.tasks.complete("task-001", { outcome: "failure" }),
    ])
      await expect(refused()).rejects.toMatchObject({
        code: "wrong-use",
        hint: expect.stringContaining("ralph stop --force task-001"),
      });
    now.value = secondsLater(50);
    expect(await runs.renew(runId)).toBe(true);
    now.value = secondsLater(109);
    await expect(begin(run)).rejects.toThrow(/being run by process 7 on old-box, which holds it until/);
    now.value = secondsLater(111);
    const next = await begin(run);
    expect(await runs.adoptAttempt("task-001", thisRunner(), next)).toEqual({ attemptId: 1, iterations: 0 });
    expect((await runs.list("task-001")).map(({ end }) => end)).toEqual([
      undefined,
      { kind: "interrupted", evidence: expect.stringMatching(/^taken over by process \d+ on /) },
    ]);
  });

  it("is taken over at once by force", async () => {
    const run = await openRun(elsewhere);
    expect(await begin(run, true)).toBeGreaterThan(run.runId);
  });

  it("lets others start or complete by hand once its lease has lapsed", async () => {
    const run = await openRun(elsewhere);
    run.now.value = secondsLater(61);
    expect((await run.memory.tasks.start("task-001")).attemptId).toBe(2);
    const other = await openRun(elsewhere);
    other.now.value = secondsLater(61);
    await other.memory.tasks.complete("task-001", { outcome: "failure" });
    expect((await other.memory.tasks.history("task-001")).status).toBe("failed");
  });

  it("records nothing more when it was taken over", async () => {
    const run = await openRun(elsewhere);
    const { memory, runs, runId, now } = run;
    now.value = secondsLater(61);
    const next = await begin(run);
    await runs.adoptAttempt("task-001", thisRunner(), next);
    const usage = { inputTokens: 1, outputTokens: 1 };
    const action = { timestamp: start, iteration: 1, tool: "Bash", params: {}, success: true };
    for (const late of [
      () => runs.saveAgent(runId, elsewhere),
      () => runs.logActions("task-001", [{ ...action, idempotencyKey: undefined }], runId),
      () =>
        memory.tasks.endIteration("task-001", {
          iteration: 1,
          success: false,
          progress: { iterations: 5, usage },
          runId,
        }),
      () => memory.tasks.complete("task-001", { outcome: "failure", runId }),
      () => memory.tasks.start("task-001", { runId }),
    ])
      await expect(late()).rejects.toMatchObject({
        code: "taken-over",
        message: expect.stringContaining("This run of task-001 no longer holds it: taken over by process"),
      });
    expect(await runs.renew(runId)).toBe(false);
    await runs.end(runId, { kind: "completed", evidence: "late" });
    const { attempts, status } = await memory.tasks.history("task-001");
    expect([status, attempts]).toMatchObject(["running", [{ actions: [], results: [] }]]);
    expect((await runs.list("task-001"))[1]).toMatchObject({ iterations: 0, end: { kind: "interrupted" } });
    await memory.tasks.complete("task-001", { outcome: "success", runId: next });
  });

  it("records nothing into an attempt that was started by hand meanwhile", async () => {
    const { memory, now, runId } = await openRun(elsewhere);
    now.value = secondsLater(61);
    await memory.tasks.start("task-001", { runner: thisRunner() });
    await expect(
      memory.tasks.endIteration("task-001", { iteration: 1, success: false, runId }),
    ).rejects.toMatchObject({ code: "taken-over" });
  });

  it.each([
    ["a minute after the last record", 61, true],
    ["not before", 59, false],
  ])("and has no lease, as with an older version, is taken over %s", async (_, seconds, isTaken) => {
    const run = await openRun(elsewhere);
    await editDatabase(run.root, "UPDATE runs SET lease_until = NULL");
    run.now.value = secondsLater(seconds);
    expect(await begin(run).then(Boolean, () => false)).toBe(isTaken);
  });
});

describe("a run on this machine", () => {
  const ended = runnerOf(spawnSync("true").pid);

  it("keeps its task while its process runs, however long it was silent", async () => {
    const run = await openRun(thisRunner());
    run.now.value = secondsLater(100_000);
    await expect(begin(run)).rejects.toMatchObject({ hint: "ralph stop task-001" });
  });

  it("is taken over at once when its process is gone, whatever the host is called by now", async () => {
    for (const runner of [ended, { ...ended, host: "old-name" }, { ...thisRunner(), started: "1" }])
      expect(await begin(await openRun({ ...thisRunner(), ...runner }))).toBeGreaterThan(0);
  });

  it("of an older version is known by its process, too", async () => {
    const { pid, host, started } = thisRunner();
    await expect(begin(await openRun({ pid, host, started: started ?? "" }))).rejects.toThrow(/is being run/);
    expect(await begin(await openRun({ pid: ended.pid, host, started: "1" }))).toBeGreaterThan(0);
  });
});

describe("a lease", () => {
  it("that ends later than any run may ask for was made by a wrong clock, and holds nothing", () => {
    const now = new Date(start);
    expect(hasLapsed(leaseUntil(now), now)).toBe(false);
    expect(hasLapsed(leaseUntil(new Date(secondsLater(240))), now)).toBe(false);
    expect(hasLapsed(leaseUntil(new Date(secondsLater(3600))), now)).toBe(true);
    expect(hasLapsed(leaseUntil(new Date(secondsLater(-61))), now)).toBe(true);
    expect(hasLapsed("nonsense", now)).toBe(true);
  });

  it("is not renewed while another process writes: that is given up at once", async () => {
    const { root, runs, runId } = await openRun(thisRunner());
    const other = (await loadSqliteEngine()).open(sqlitePath(join(root, ".ralph")));
    other.exec("BEGIN IMMEDIATE");
    await expect(runs.renew(runId)).rejects.toMatchObject({ code: "store-busy" });
    other.exec("ROLLBACK");
    other.close();
    expect(await runs.renew(runId)).toBe(true);
  });

  it("is renewed again and again, until it is lost", async () => {
    const run = await openRun(elsewhere);
    const { now, runs, runId } = run;
    const lease = keepLease(runs, runId, 10);
    const until = async () => (await runs.list("task-001")).find(({ id }) => id === runId)?.lease_until;
    for (const seconds of [10, 20]) {
      now.value = secondsLater(seconds);
      let seen: string | undefined;
      await eventually(() => {
        void until().then((value) => {
          seen = value;
        });
        return seen === secondsLater(seconds + 60);
      });
    }
    expect(lease.lost.aborted).toBe(false);
    await begin(run, true);
    await eventually(() => lease.lost.aborted);
    lease.close();
  });
});

describe("an attempt that was started by hand", () => {
  it("elsewhere is over when nothing was recorded for half an hour, and can be ended before", async () => {
    const now = { value: start };
    const memory = await openScratchMemory({ now });
    await memory.tasks.init({ description: "a" });
    await memory.tasks.start("task-001", { runner: elsewhere });
    now.value = secondsLater(29 * 60);
    await expect(memory.tasks.start("task-001")).rejects.toMatchObject({
      message: "Attempt 1 of task-001 is still running (process 7 on old-box)",
      hint: expect.stringContaining("ralph task complete task-001"),
    });
    now.value = secondsLater(31 * 60);
    expect((await memory.tasks.start("task-001", { runner: elsewhere })).attemptId).toBe(2);
    await memory.tasks.complete("task-001", { outcome: "failure" });
    expect((await memory.tasks.start("task-001")).attemptId).toBe(3);
  });
});
