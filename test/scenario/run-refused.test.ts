import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileAppears } from "../support/eventually.js";
import { loopRepository } from "../support/scripted-agent.js";

/** One of each kind; what else is wrong is in `test/loop/start/prepare-run.test.ts`. */
const refusals: [args: string[], status: number, message: RegExp][] = [
  [[], 2, /Missing objective/],
  [["   "], 2, /Missing objective/],
  [["-"], 2, /Missing objective/],
  [["--file", "missing.md"], 1, /missing\.md/],
  [["x", "--file", "task.md"], 2, /The objective is given twice/],
  [["--file", "empty.md"], 2, /Missing objective/],
  [["x", "--verify", "no-such-program --flag"], 2, /: program not found: no-such-program/],
  [["x", "--max-iterations", "0"], 2, /--max-iterations takes a whole number, 1 or more, not 0/],
  [["x", "--timeout", "-1s"], 2, /--timeout must be a duration such as/],
  [["x", "--max-cost", "0"], 2, /--max-cost takes an amount in USD/],
  [["x", "--holdout", "2"], 2, /--holdout takes a number from 0 to 1/],
  [["x", "--memory", "nonsense"], 2, /Unknown window: nonsense/],
  [["x", "--agent", "scripte"], 2, /Unknown agent: scripte \(.*scripted/],
  [
    ["x", "--agent", "codex"],
    1,
    /Agent codex is not installed: codex was not found \(npm install -g @openai\/codex\)/,
  ],
  [["x", "--cross-task", "--no-cross-task"], 2, /--cross-task.*--no-cross-task/],
];

describe.concurrent("ralph run refuses what is wrong before anything begins", () => {
  it("and records nothing of it", async () => {
    const { cwd, ralph, json, starts } = loopRepository("exit 0");
    writeFileSync(join(cwd, "task.md"), "Do it");
    writeFileSync(join(cwd, "empty.md"), "\n\n");
    for (const [args, status, message] of refusals) {
      // Neither the machine's agents nor its other programs matter here.
      const result = await ralph(["run", ...args], { env: { PATH: "/usr/bin:/bin" } });
      expect([args, result.status, result.stdout]).toEqual([args, status, ""]);
      expect(result.stderr).toMatch(message);
      expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
    }
    expect(await json(["history"])).toEqual([]);
    expect(await json(["status"])).toEqual([]);
    expect(starts()).toBe(0);
  });

  it("when no agent is installed, and says how to describe one", async () => {
    const { cwd, ralph, json } = loopRepository("exit 0");
    rmSync(join(cwd, "ralph.yml"));
    const { status, stderr } = await ralph(["run", "x"], { env: { PATH: "/nowhere" } });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Error: No agent is installed \(install one of claude, codex.*agents: \{ mine/);
    expect(await json(["history"])).toEqual([]);
  });

  it("when an option is wrong, also where no agent is installed", async () => {
    const { cwd, ralph } = loopRepository("exit 0");
    rmSync(join(cwd, "ralph.yml"));
    const env = { PATH: "/nowhere" };
    const { stderr } = await ralph(["run", "x", "--max-iterations", "0"], { env });
    expect(stderr).toMatch(/^Error: --max-iterations takes a whole number, 1 or more, not 0/);
  });

  it("when a setting is wrong", async () => {
    const { ralph, json } = loopRepository("exit 0");
    const env = { RALPH_RUN_MAX_ITERATIONS: "0" };
    expect(await ralph(["run", "x"], { env })).toMatchObject({ status: 2, stdout: "" });
    expect(await json(["history"])).toEqual([]);
  });
});

describe.concurrent("an objective", () => {
  it("comes from a file or from standard input, too", async () => {
    const { cwd, ralph, prompts } = loopRepository("echo '<promise>COMPLETE</promise>'");
    writeFileSync(join(cwd, "task.md"), "# Write the parser\n\nWith care.\n");
    expect((await ralph(["run", "--file", "task.md"])).status).toBe(0);
    expect((await ralph(["run", "-"], { input: "Write the printer\n" })).status).toBe(0);
    expect(prompts()[0]).toContain("# Write the parser\n\nWith care.");
    expect(prompts()[1]).toContain("# Task\n\nWrite the printer\n");
  });
});

describe.concurrent("ralph resume refuses", () => {
  it("where nothing was run, what is unknown, and what was never run", async () => {
    const { ralph } = loopRepository("exit 0");
    expect(await ralph(["resume"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^Error: No runs yet/),
    });
    await ralph(["task", "init", "by hand"]);
    expect((await ralph(["resume", "task-001"])).stderr).toMatch(/task-001 has never been run/);
    expect((await ralph(["resume", "task-009"])).stderr).toMatch(/Task not found: task-009/);
    expect((await ralph(["stop", "task-001"])).stderr).toMatch(/task-001 is not running here/);
    expect(await ralph(["stop"])).toMatchObject({ status: 0, stderr: "No active runs\n" });
    expect(await ralph(["status"])).toMatchObject({
      status: 0,
      // A team's store is named first.
      stderr: expect.stringMatching(/^No active runs\n$/m),
    });
  });

  it("a task that is completed", async () => {
    const { ralph } = loopRepository("echo '<promise>COMPLETE</promise>'");
    await ralph(["run", "x"]);
    expect(await ralph(["resume"])).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/task-001 is already completed/),
    });
  });

  it("a task that is being run, and says by which process", async () => {
    const { cwd, start, ralph, json } = loopRepository("echo begun > seen/begun; sleep 60");
    const { child, ended } = start(["run", "x"]);
    await fileAppears(join(cwd, "seen/begun"));
    for (const args of [["resume"], ["resume", "task-001"]]) {
      expect(await ralph(args)).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(
          new RegExp(`task-001 is being run by process ${child.pid} .*ralph stop task-001`),
        ),
      });
    }
    expect(await json(["history", "task-001"])).toMatchObject({ status: "running", total_attempts: 1 });
    child.kill("SIGTERM");
    expect((await ended).status).toBe(130);
  });

  it("the second of two that begin at the same moment, and does no harm to the first", async () => {
    const { cwd, start, json, ralph } = loopRepository(
      "[ $n = 1 ] && echo begun > seen/begun && sleep 60; sleep 1; echo good > work.txt",
    );
    const { child, ended } = start(["run", "x", "--verify", "grep -q good work.txt"]);
    await fileAppears(join(cwd, "seen/begun"));
    child.kill("SIGINT");
    await ended;
    const both = await Promise.all([ralph(["resume"]), ralph(["resume"])]);
    expect(both.map(({ status }) => status).sort()).toEqual([0, 2]);
    expect(both.find(({ status }) => status === 2)?.stderr).toMatch(/is being run by process|still running/);
    expect(await json(["history", "task-001"])).toMatchObject({ status: "completed", total_attempts: 2 });
  });

  it("to begin while the verification cannot be run any more; nothing is lost by that", async () => {
    const { cwd, start, ralph, json } = loopRepository(
      "[ $n = 1 ] && echo begun > seen/begun && sleep 60; echo good > work.txt",
    );
    writeFileSync(join(cwd, "check.sh"), "#!/bin/sh\ngrep -q good work.txt\n", { mode: 0o755 });
    const { child, ended } = start(["run", "x", "--verify", "./check.sh"]);
    await fileAppears(join(cwd, "seen/begun"));
    child.kill("SIGKILL");
    await ended;
    rmSync(join(cwd, "check.sh"));
    expect((await ralph(["resume"])).stderr).toMatch(/: program not found: \.\/check\.sh/);
    expect(await json(["status"])).toMatchObject([{ state: "process gone" }]);
    writeFileSync(join(cwd, "check.sh"), "#!/bin/sh\ngrep -q good work.txt\n", { mode: 0o755 });
    expect((await ralph(["resume"])).status).toBe(0);
  });
});
