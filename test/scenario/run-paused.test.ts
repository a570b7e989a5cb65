import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually, fileAppears } from "../support/eventually.js";
import { hasTerminals, onTerminal } from "../support/on-terminal.js";
import { ralphEnvironment, ralphProgram } from "../support/run-ralph.js";
import { git } from "../support/scratch.js";
import { type LoopRepository, linesOf, loopRepository } from "../support/scripted-agent.js";
import { openTerminalSession } from "../support/terminal-session.js";

const promise = "echo '<promise>COMPLETE</promise>'";
/** Works until it is stopped, unless it may be quick. */
const slow = `echo $n > seen/begun-$n; [ -e seen/quick ] || sleep 60; echo $n >> work.txt; ${promise}`;

async function pause({ cwd, start, ralph, starts }: LoopRepository, objective: string): Promise<void> {
  const begun = join(cwd, `seen/begun-${starts() + 1}`);
  const { ended } = start(["run", objective]);
  await fileAppears(begun);
  await ralph(["stop"]);
  await ended;
}

const beQuick = ({ cwd }: LoopRepository) => writeFileSync(join(cwd, "seen/quick"), "");

describe.concurrent("what was interrupted", () => {
  it("is found again after another run has completed", async () => {
    const repository = loopRepository(slow);
    const { ralph, json } = repository;
    await pause(repository, "Fix the cart");
    beQuick(repository);
    expect((await ralph(["run", "Something else"])).status).toBe(0);
    expect(await json(["status"])).toMatchObject([
      { task_id: "task-001", state: "interrupted", resumable: true, objective: "Fix the cart" },
    ]);
    expect((await ralph(["status"])).stderr).toMatch(/^Continue with: ralph resume task-001;/m);
    expect(await json([])).toMatchObject({ unfinished: ["task-001"], last_task: { id: "task-002" } });
    expect(await ralph(["resume"])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^task-001 completed/),
    });
    expect(await json(["status"])).toEqual([]);
  });

  it("is a list to name one of, or on a terminal to choose from", async () => {
    const repository = loopRepository(slow);
    const { cwd, ralph, json } = repository;
    await pause(repository, "Fix the cart");
    await pause(repository, "Fix the shipping");
    beQuick(repository);
    expect((await json(["status"])).map(({ task_id: id }: { task_id: string }) => id)).toEqual([
      "task-002",
      "task-001",
    ]);
    const { status, stderr } = await ralph(["resume"]);
    expect(status).not.toBe(0);
    expect(stderr).toBe(
      "Error: 2 runs can be resumed: task-002 (Fix the shipping), task-001 (Fix the cart) (name one: ralph resume task-002)\n",
    );
    const session = openTerminalSession(`'${process.execPath}' '${ralphProgram}' resume`, {
      ...{ cwd, columns: 80, env: { ...ralphEnvironment(cwd), TERM: "xterm" } },
    });
    await session.until((screen) =>
      /^2 +task-001 +interrupted .*Fix the cart[\s\S]*Resume which one\?/m.test(screen),
    );
    session.type("2\r");
    expect(await session.ended).toBe(0);
    expect(session.screen().join("\n")).toMatch(/^task-001 completed/m);
    expect(await ralph(["resume", "task-002"])).toMatchObject({ status: 0 });
  });

  it.skipIf(!hasTerminals)("is told with an objective that can be read on a narrow terminal", async () => {
    const repository = loopRepository(slow);
    await pause(repository, "Fix the rounding of totals in the cart, and of the discount");
    const rows = async (columns: number) =>
      (await onTerminal(["status", "--no-color"], repository.cwd, { columns })).split("\n");
    expect((await rows(60)).slice(0, 3)).toEqual([
      "TASK      STATE        OBJECTIVE",
      "task-001  interrupted  Fix the rounding of totals in the",
      "                       cart, and of the discount",
    ]);
    expect((await rows(80))[0]).toBe("TASK      STATE        AGENT     ELAPSED  OBJECTIVE");
  });

  it("can be given up, so that nobody is asked about it any more", async () => {
    const repository = loopRepository(slow);
    const { ralph, json } = repository;
    await pause(repository, "Fix the cart");
    expect((await ralph(["status"])).stderr).toContain("ralph stop task-001 --discard");
    expect((await ralph(["stop", "task-001"])).stderr).toMatch(/^Error: task-001 is paused.*--discard/);
    expect((await ralph(["task", "complete", "task-001", "--outcome", "failure"])).stderr).toContain(
      "ralph stop task-001 --discard",
    );
    expect((await ralph(["stop", "--discard"])).stderr).toMatch(/^Error: --discard needs a task/);
    expect(await json(["stop", "task-001", "--discard"])).toMatchObject([
      { task_id: "task-001", ended: true, discarded: true },
    ]);
    expect(await json(["status"])).toEqual([]);
    expect(await json(["task", "show", "task-001"])).toMatchObject({ status: "failed" });
    expect((await ralph(["stop", "task-001", "--discard"])).stderr).toMatch(/not running here/);
    expect((await ralph(["status"])).stderr).toBe("No active runs\n");
    expect(await ralph(["resume"])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(
        /^Error: No run is paused, and the last one is over: task-001 was given up/,
      ),
    });
    beQuick(repository);
    expect(await ralph(["resume", "task-001"])).toMatchObject({ status: 0 });
  });

  it("is not the only choice when the last run failed", async () => {
    const repository = loopRepository(slow);
    const { ralph } = repository;
    await pause(repository, "Fix the cart");
    beQuick(repository);
    await ralph(["run", "Fail", "--verify", "false", "--max-iterations", "1"]);
    expect((await ralph(["resume"])).stderr).toMatch(
      /^Error: 2 runs can be resumed: task-002 \(Fail\), task-001/,
    );
  });

  it("is not said to be resumable if its check held a secret", async () => {
    const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const { cwd, start, ralph, json } = loopRepository(slow);
    const { ended } = start(["run", "Fix", "--verify", `echo Authorization: Bearer ${token}; false`]);
    await fileAppears(join(cwd, "seen/begun-1"));
    const stopped = await ralph(["stop"]);
    expect(stopped.stdout).toMatch(/^Stopped task-001; its check holds a secret/);
    expect((await ended).stdout).toMatch(
      /next: ralph run again, with the secret of its check in an environment variable/,
    );
    expect(await json(["status"])).toMatchObject([{ state: "interrupted", resumable: false }]);
    expect((await ralph(["status"])).stderr).toMatch(
      /^task-001 cannot be resumed: its check holds a secret/m,
    );
    expect((await ralph(["resume"])).stderr).toMatch(/holds a secret, which was not stored/);
  });
});

describe.concurrent("a working tree", () => {
  it("is for one run at a time, unless that is forced", async () => {
    const repository = loopRepository(slow);
    const { cwd, start, ralph, json } = repository;
    const { child, ended } = start(["run", "Fix the cart"]);
    await fileAppears(join(cwd, "seen/begun-1"));
    beQuick(repository);
    const refused = await ralph(["run", "Fix the shipping"]);
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toMatch(
      new RegExp(
        `^Error: task-001 is being run in this working tree, by process ${child.pid} .*--worktree.*--force`,
      ),
    );
    expect(await json(["history"])).toHaveLength(1);
    expect((await ralph(["run", "Fix the shipping", "--force"])).status).toBe(0);
    child.kill("SIGTERM");
    await ended;
  });

  it("is made for a second run with --worktree, which records into the same memory and goes on there", async () => {
    const agent = `[ -e quick ] || { echo here > begun; sleep 60; }; echo good > work.txt; ${promise}`;
    const { cwd, start, ralph, json, run } = loopRepository(`mkdir -p seen; ${agent}`);
    const folder = `${cwd}-fix-the-cart`;
    try {
      const first = start(["run", "Fix the shipping"]);
      await fileAppears(join(cwd, "begun"));
      writeFileSync(join(cwd, "uncommitted.txt"), "x");
      const second = start(["run", "Fix the cart!", "--worktree", "--json"]);
      await fileAppears(join(folder, "begun"));
      // Its file may be seen before what it printed.
      expect(await eventually(() => second.lines[1])).toMatchObject({
        event: "worktree",
        folder,
        branch: "ralph/fix-the-cart",
        uncommitted: 2,
      });
      expect(await json(["status"])).toMatchObject([
        { task_id: "task-002", folder },
        { task_id: "task-001", folder: cwd },
      ]);
      await ralph(["stop"]);
      await Promise.all([first.ended, second.ended]);
      writeFileSync(join(folder, "quick"), "");
      const resumed = await ralph(["resume", "task-002"]);
      expect(resumed.status).toBe(0);
      expect(readFileSync(join(folder, "work.txt"), "utf8")).toBe("good\n");
      expect(existsSync(join(cwd, "work.txt"))).toBe(false);
      expect(existsSync(join(folder, ".ralph"))).toBe(false);
      const step = (name: string) => new RegExp(`^ {4}${name}: +(.+)$`, "m").exec(resumed.stdout)?.[1] ?? "";
      git(folder, "add", "work.txt");
      git(folder, "commit", "--quiet", "-m", "Fix the cart");
      expect(step("commit")).toContain(`git -C ${folder} add -A`);
      expect(step("merge")).toBe("git merge ralph/fix-the-cart");
      git(cwd, ...step("merge").split(" ").slice(1));
      expect(readFileSync(join(cwd, "work.txt"), "utf8")).toBe("good\n");
      rmSync(join(folder, "quick"));
      rmSync(join(folder, "begun"));
      expect(step("remove")).toBe(`git worktree remove ${folder} && git branch -d ralph/fix-the-cart`);
      rmSync(folder, { recursive: true, force: true });
      const again = await run([
        "Fix the cart",
        "--worktree",
        "--max-iterations",
        "1",
        "--iteration-timeout",
        "1s",
      ]);
      expect(linesOf(again.lines, "worktree")).toMatchObject([{ branch: "ralph/fix-the-cart-2" }]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
      rmSync(`${folder}-2`, { recursive: true, force: true });
    }
  });

  it("is taken back if the run cannot begin in it", async () => {
    const { cwd, ralph, json } = loopRepository(promise);
    writeFileSync(join(cwd, "other.sh"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    writeFileSync(join(cwd, "ralph.yml"), "agents:\n  scripted: { program: ./other.sh }\n");
    git(cwd, "commit", "--quiet", "-m", "Without the agent itself", "ralph.yml");
    const { status, stderr } = await ralph(["run", "Try it", "--worktree", "--agent", "scripted"]);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/^Error: In a new worktree, which has only what is committed: .*other\.sh.*\n$/);
    expect(existsSync(`${cwd}-try-it`)).toBe(false);
    expect(git(cwd, "branch", "--list", "ralph/*")).toBe("");
    expect(await json(["history"])).toEqual([]);
  });

  it("that is gone is told when its run is to go on", async () => {
    const { cwd, start, ralph } = loopRepository("mkdir -p seen; echo here > begun; sleep 60");
    const folder = `${cwd}-try-it`;
    const { child, ended } = start(["run", "Try it", "--worktree"]);
    await fileAppears(join(folder, "begun"));
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
    expect((await ralph(["resume"])).stderr).toBe(
      `Error: The worktree of task-001 is gone: ${folder} (bring it back with "git worktree add ${folder} ralph/try-it", or give the run up with "ralph stop task-001 --discard")\n`,
    );
  });
});
