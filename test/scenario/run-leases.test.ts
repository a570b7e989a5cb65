import { describe, expect, it } from "vitest";
import { isGroupAlive } from "../../src/processes/end-processes.js";
import { editDatabase, leaseLapses, onAnotherMachine } from "../support/edit-database.js";
import { eventually, fileAppears } from "../support/eventually.js";
import { type LoopRepository, loopRepository } from "../support/scripted-agent.js";

/** Works for ever the first time, and is done the second time. */
const agent = `echo $n > work.txt
[ $n = 1 ] && { trap '' HUP PIPE; setsid sh -c 'echo $$ > seen/child; exec sleep 60' & echo begun > seen/begun; while :; do sleep 0.1; done; }
echo '<promise>COMPLETE</promise>'`;

async function killedRun(): Promise<LoopRepository> {
  const repository = loopRepository(agent);
  const { child, ended } = repository.start(["run", "Try"]);
  await fileAppears(`${repository.cwd}/seen/begun`);
  await fileAppears(`${repository.cwd}/seen/child`);
  child.kill("SIGKILL");
  await ended;
  expect(repository.groupsLeft()).toHaveLength(1);
  return repository;
}

const endedAgent = (repository: LoopRepository) => eventually(() => repository.groupsLeft().length === 0);

describe.concurrent("a run that was killed while its agent goes on", () => {
  it("is ended by stop, with all that it left, and goes on with resume", async () => {
    const repository = await killedRun();
    const { ralph, json, groupsLeft } = repository;
    const [group] = groupsLeft();
    expect((await ralph(["status"])).stderr).toMatch(
      /but processes \d+(?:, \d+)+ of its agent still run; end them with: ralph stop task-001\n/,
    );
    const { status, stdout } = await ralph(["stop"]);
    expect([status, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^Stopped task-001, and ended what was left of it: ${group},`)),
    ]);
    expect(groupsLeft()).toEqual([]);
    expect(await json(["status"])).toMatchObject([{ state: "interrupted" }]);
    expect(await ralph(["stop"])).toMatchObject({ status: 0, stderr: "No active runs\n" });
    expect(await json(["history", "task-001"])).toMatchObject({ status: "paused", total_attempts: 1 });
    expect((await ralph(["resume"])).status).toBe(0);
  });

  it("is reported by doctor, and closed by a repair", async () => {
    const { ralph, groupsLeft, json } = await killedRun();
    const reported = await ralph(["doctor"]);
    expect(reported.stdout).toMatch(
      /! tasks .*the run of task-001 .*process gone.* was killed, and its process/,
    );
    expect(groupsLeft()).toHaveLength(1);
    const repaired = await ralph(["doctor", "--repair"]);
    expect(repaired.stdout).toMatch(/tasks .*closed the run of task-001.* and ended its process/);
    expect(groupsLeft()).toEqual([]);
    expect(await json(["status"])).toMatchObject([{ state: "interrupted" }]);
    expect((await ralph(["task", "start", "task-001"])).status).toBe(0);
  });

  it("does not stop anybody from starting or completing the task by hand", async () => {
    const repository = await killedRun();
    expect((await repository.ralph(["task", "complete", "task-001", "--outcome", "failure"])).status).toBe(0);
    expect((await repository.ralph(["task", "start", "task-001"])).status).toBe(0);
    await repository.ralph(["stop"]);
    await endedAgent(repository);
  });
});

describe.concurrent("a run on another machine", () => {
  it("is taken over when its lease has lapsed, and no command sends you in a circle before", async () => {
    const repository = await killedRun();
    const { ralph, json, cwd } = repository;
    await editDatabase(cwd, ...onAnotherMachine);
    expect(await json(["status"])).toMatchObject([{ state: "running elsewhere", host: "old-box" }]);
    for (const args of [
      ["resume"],
      ["task", "start", "task-001"],
      ["task", "complete", "task-001", "--outcome", "failure"],
      ["stop", "task-001"],
    ]) {
      const { status, stderr, stdout } = await ralph(args);
      expect([args, status !== 0, stdout + stderr]).toEqual([
        args,
        true,
        expect.stringContaining("ralph stop --force task-001"),
      ]);
    }
    await editDatabase(cwd, leaseLapses);
    expect(await json(["status"])).toMatchObject([{ state: "lease lapsed" }]);
    const resumed = await ralph(["resume"]);
    expect([resumed.status, resumed.stdout + resumed.stderr]).toEqual([
      0,
      expect.stringMatching(/its agent, process \d+ on old-box, cannot be seen from here/),
    ]);
    // Its mark gives it away all the same: it does run here.
    await endedAgent(repository);
  });

  it.each([["resume"], ["stop"]])("is taken over at once by %s --force", async (command) => {
    const { ralph, json, cwd } = await killedRun();
    await editDatabase(cwd, ...onAnotherMachine);
    expect((await ralph([command, "--force"])).status).toBe(0);
    expect(await json(["status"])).toMatchObject(command === "stop" ? [{ state: "interrupted" }] : []);
    if (command === "stop") expect((await ralph(["resume"])).status).toBe(0);
  });

  it("that was taken over ends its agent, says so, and records nothing more", async () => {
    const { start, ralph, json, cwd, groupsLeft } = loopRepository(agent);
    const { ended, child } = start(["run", "Try"]);
    await fileAppears(`${cwd}/seen/child`);
    await editDatabase(cwd, ...onAnotherMachine, leaseLapses);
    // As after a long sleep: the other machine believes that nobody is there any more.
    child.kill("SIGSTOP");
    const first = groupsLeft();
    expect((await ralph(["resume"])).status).toBe(0);
    child.kill("SIGCONT");
    const { status, stderr, stdout } = await ended;
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Error: This run of task-001 no longer holds it: taken over by process \d+ on /m,
      ),
    ]);
    expect(stdout).toContain("interrupted");
    expect(first.filter(isGroupAlive)).toEqual([]);
    const { attempts, status: state } = await json(["history", "task-001"]);
    expect(state).toBe("completed");
    expect(attempts).toHaveLength(1);
    expect(attempts[0].results).toHaveLength(1);
  });
});

describe.concurrent("ralph stop", () => {
  it("signals no process that is not provably the recorded one", async () => {
    const { start, ralph, cwd } = loopRepository(agent);
    const { child, ended } = start(["run", "Try"]);
    await fileAppears(`${cwd}/seen/child`);
    await editDatabase(cwd, "UPDATE runs SET runner = json_remove(runner, '$.started', '$.mark')");
    await ralph(["stop"]);
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    await editDatabase(cwd, "UPDATE runs SET runner = json_set(runner, '$.started', '1')");
    await ralph(["stop"]);
    // Nobody has asked it to stop (130): it notices by itself that its task is gone.
    expect((await ended).status).toBe(1);
  });
});
