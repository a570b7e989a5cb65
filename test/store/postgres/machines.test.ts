import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Runner } from "../../../src/domain/tasks/attempt.js";
import { openMemory } from "../../../src/memory/open-memory.js";
import { runsOf } from "../../../src/memory/runs/runs.js";
import { thisRunner } from "../../../src/processes/runner.js";
import { createPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import { runOptions } from "../../loop/iteration-samples.js";
import {
  lackOfPostgres,
  type PostgresServer,
  query,
  startPostgres,
} from "../../support/postgres/postgres-server.js";
import { scratchFolder, scratchRepository } from "../../support/scratch.js";

const hourMs = 3_600_000;
const runnerOn = (host: string): Runner => ({ pid: 7, host, started: "1", boot: host, space: "pid:[1]" });

describe.skipIf(lackOfPostgres() !== undefined)("machines that share a project", () => {
  let server: PostgresServer;
  let address: string;
  let projects = 0;

  beforeAll(async () => {
    server = await startPostgres();
    address = await server.makeDatabase();
    await createPostgresStore({ address, environment: {} });
  }, 60_000);
  afterAll(() => server.stop());

  /** A machine whose clock is wrong by so many hours. */
  async function machine(project: string, hoursOff: number) {
    const memory = await openMemory({
      root: scratchRepository(),
      clock: () => new Date(Date.now() + hoursOff * hourMs),
      environment: {
        ...{ RALPH_HOME: scratchFolder(), RALPH_TRUST: "1" },
        ...{ RALPH_STORE_URL: address, RALPH_PROJECT_KEY: project },
      },
    });
    onTestFinished(() => memory.close());
    return { memory, runs: runsOf(memory) };
  }

  const freshProject = () => {
    projects += 1;
    return `machines-${projects}`;
  };
  /** As if all that time had passed for the server. */
  const minutesPass = (minutes: number) =>
    query(
      address,
      `UPDATE runs SET lease_until = to_char(lease_until::timestamptz AT TIME ZONE 'UTC' - $1 * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
      [minutes],
    ).then(() =>
      query(
        address,
        `UPDATE attempts SET seen_at = to_char(seen_at::timestamptz AT TIME ZONE 'UTC' - $1 * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
        [minutes],
      ),
    );

  it.each([
    ["an hour ahead of", 1],
    ["an hour behind", -1],
  ])("keep and respect leases with a clock %s the others'", async (_, hoursOff) => {
    const project = freshProject();
    const [right, wrong] = [await machine(project, 0), await machine(project, hoursOff)];
    await right.memory.tasks.init({ description: "Theirs" });
    await right.memory.tasks.init({ description: "Mine" });
    const ours = await right.runs.begin("task-001", runOptions(), runnerOn("right"));
    const theirs = await wrong.runs.begin("task-002", runOptions(), runnerOn("wrong"));
    await right.memory.tasks.start("task-001", { runner: runnerOn("right"), runId: ours, hasBrief: false });
    for (let beat = 0; beat < 2; beat += 1) {
      await expect(wrong.runs.begin("task-001", runOptions(), runnerOn("wrong"))).rejects.toThrow(
        /task-001 is being run by process 7 on right, which holds it until/,
      );
      await expect(right.runs.begin("task-002", runOptions(), runnerOn("right"))).rejects.toThrow(/on wrong/);
      await expect(wrong.memory.tasks.start("task-001")).rejects.toThrow(/still running/);
      expect([await right.runs.renew(ours), await wrong.runs.renew(theirs)]).toEqual([true, true]);
    }
    await minutesPass(2);
    const taken = await wrong.runs.begin("task-001", runOptions(), runnerOn("wrong"));
    expect(await wrong.runs.adoptAttempt("task-001", runnerOn("wrong"), taken)).toMatchObject({
      attemptId: 1,
    });
    expect(await right.runs.renew(ours)).toBe(false);
    expect(await right.runs.begin("task-002", runOptions(), runnerOn("right"))).toBeGreaterThan(theirs);
  });

  it("respect what others do by hand for half an hour after their last record, whatever their clocks say", async () => {
    const project = freshProject();
    const [right, wrong] = [await machine(project, 0), await machine(project, 1)];
    await wrong.memory.tasks.init({ description: "Work by hand" });
    await wrong.memory.tasks.start("task-001", { runner: runnerOn("wrong"), hasBrief: false });
    await minutesPass(25);
    await wrong.memory.tasks.log("task-001", [{ tool: "Bash", params: { command: "make" }, success: true }]);
    await minutesPass(25);
    await expect(right.memory.tasks.start("task-001")).rejects.toThrow(/still running/);
    expect(await right.memory.team.underWay()).toMatchObject([{ state: "running elsewhere", host: "wrong" }]);
    await minutesPass(10);
    expect(await right.memory.team.underWay()).toMatchObject([{ state: "lease lapsed" }]);
    expect((await right.memory.tasks.start("task-001")).attemptId).toBe(2);
  });

  it("may each have a working tree of the same name", async () => {
    const project = freshProject();
    const [one, other] = [await machine(project, 0), await machine(project, 0)];
    const options = runOptions({ folder: "/home/agent/shop" });
    for (const description of ["One", "Other"]) await one.memory.tasks.init({ description });
    await one.runs.begin("task-001", options, runnerOn("box"));
    expect(await other.runs.begin("task-002", options, thisRunner())).toBeGreaterThan(0);
    await other.memory.tasks.init({ description: "Third" });
    await expect(other.runs.begin("task-003", options, thisRunner())).rejects.toThrow(/in this working tree/);
  });
});
