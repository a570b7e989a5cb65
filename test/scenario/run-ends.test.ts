import { describe, expect, it } from "vitest";
import { fileAppears } from "../support/eventually.js";
import { agentActions, linesOf, loopRepository, sayAsClaude } from "../support/scripted-agent.js";

const promise = "echo '<promise>COMPLETE</promise>'";
const good = ["--verify", "grep -q good work.txt"];

describe.concurrent("a run is completed", () => {
  it("when the verification passes, whatever the agent says", async () => {
    const { run, json, groupsLeft } = loopRepository("echo good > work.txt; echo 'not sure'");
    const { status, lines } = await run(["Make work.txt good", ...good]);
    expect(status).toBe(0);
    expect(lines[0]).toMatchObject({ event: "run-started", task_id: "task-001", agent: "scripted" });
    expect(lines.at(-1)).toMatchObject({
      event: "run-ended",
      end: { kind: "completed", evidence: "grep -q good work.txt: passed" },
      iterations: 1,
      changed_files: ["work.txt"],
    });
    const task = await json(["history", "task-001"]);
    expect(task).toMatchObject({ status: "completed", attempts: [{ outcome: { status: "success" } }] });
    expect(task.attempts[0].outcome.final_quality).toBe(1);
    expect(groupsLeft()).toEqual([]);
  });

  it("without any work too, and says so: the verification may have passed before", async () => {
    const { run } = loopRepository("echo 'I have no idea what to do'");
    const { lines } = await run(["Make it good", "--verify", "true"]);
    const evidence = "true: passed, though this iteration changed nothing";
    expect(lines.at(-1)).toMatchObject({ end: { kind: "completed", evidence }, changed_files: [] });
  });

  it("when the agent promises it and nothing is to be verified, in the last allowed iteration, too", async () => {
    const { run, starts } = loopRepository(`echo $n >> work.txt; [ $n = 3 ] && ${promise}; exit 0`);
    const { status, lines } = await run(["Say so", "--max-iterations", "3"]);
    expect([status, starts()]).toEqual([0, 3]);
    expect(lines.at(-1)).toMatchObject({ end: { kind: "completed", evidence: "the agent says it is done" } });
  });

  it("not by a promise that the verification does not keep: its output is in the next prompt", async () => {
    const { run, prompts } = loopRepository(`[ $n = 2 ] && echo good > work.txt; ${promise}`);
    const { status, lines } = await run([
      "Make work.txt good",
      "--verify",
      "cat work.txt || { echo 'src/a.ts:7: error: nothing is good'; exit 3; }",
    ]);
    expect(status).toBe(0);
    const [first] = linesOf(lines, "iteration-ended");
    expect(first).toMatchObject({ verdict: "failed", quality: 0 });
    expect(first?.reason).toMatch(/exited with 3; the agent said it was done, but the check failed/);
    expect(prompts()[1]).toMatch(/<ralph-memory-\d{9}>[\s\S]*^src\/a\.ts:7: error: nothing is good$/m);
  });
});

describe.concurrent("a verification that fails in words of its own", () => {
  it("is told in the reflections, and is no lesson", async () => {
    const { run, json, prompts } = loopRepository("echo more >> work.txt");
    const verify = ["--verify", "echo the gate is shut; false", "--max-iterations", "2", "--attempts", "2"];
    expect((await run(["Open the gate", ...verify])).status).toBe(2);
    const said = 'exited with 1\n  Why: The output ends with "the gate is shut".';
    expect(prompts()[1]).toContain(`Attempt 1, iteration 1: echo the gate is shut; false: ${said}`);
    expect(prompts()[2]).toContain(`Attempt 1: exhausted; echo the gate is shut; false: ${said}`);
    expect(await json(["learnings", "list", "--type", "antipattern"])).toEqual([]);
  });
});

describe.concurrent("a run has failed", () => {
  it("when the agent breaks down at once again and again, with a pause that doubles", async () => {
    const { run, starts, json } = loopRepository("echo 'overloaded, try again' >&2; exit 7");
    const { status, lines } = await run(["Try", ...good, "--max-iterations", "50"]);
    expect([status, starts()]).toEqual([1, 5]);
    expect(linesOf(lines, "waiting").map(({ for_ms }) => for_ms)).toEqual([20, 40, 80, 160]);
    const { end } = lines.at(-1) as unknown as { end: { kind: string; evidence: string } };
    expect(end.kind).toBe("failed");
    expect(end.evidence).toMatch(/^5 crashes in a row: the agent exited with code 7: overloaded, try again$/);
    const task = await json(["history", "task-001"]);
    expect(task).toMatchObject({ status: "failed", attempts: [{ outcome: { status: "failure" } }] });
    expect(task.attempts[0].results[0].output).toContain("overloaded, try again");
  });

  it("when the agent fails at once twice in the same way: its own words are in each line, with what to do", async () => {
    const { ralph, run, starts, json } = loopRepository("echo 'ANTHROPIC_API_KEY is not set'; exit 1");
    const cause = "the agent exited with code 1: ANTHROPIC_API_KEY is not set";
    const { stdout, stderr, status } = await ralph(["run", "Try", ...good]);
    expect([status, starts()]).toEqual([1, 2]);
    expect(stderr).toMatch(new RegExp(`^✗ iteration 1 failed after .*: ${cause}`, "m"));
    expect(stdout).toMatch(
      new RegExp(`^task-001 failed: failed at once twice, in the same way: ${cause}$`, "m"),
    );
    expect(stdout).toContain("next: set ANTHROPIC_API_KEY, then ralph resume task-001");
    const { attempts } = await json(["history", "task-001"]);
    expect(attempts[0].results[0]).toMatchObject({ trouble: cause, said: "ANTHROPIC_API_KEY is not set" });
    const { lines } = await run(["Try again", ...good]);
    expect(linesOf(lines, "iteration-ended")[0]?.reason).toContain(cause);
  });

  it("when the agent's program is gone in the middle of it", async () => {
    const { run, starts } = loopRepository("echo $n > work.txt; rm agent.sh");
    const { status, lines, stderr } = await run(["Try", ...good]);
    expect([status, starts(), stderr]).toEqual([1, 1, ""]);
    expect(lines.at(-1)).toMatchObject({ event: "run-ended", end: { kind: "failed" } });
    expect(JSON.stringify(lines.at(-1))).toContain("Program not found");
  });
});

describe.concurrent("a run has stalled", () => {
  it("when the same failure comes three times and no file changes", async () => {
    const { run, starts, json } = loopRepository("echo 'I tried'");
    const { status, lines } = await run(["Try", "--verify", 'echo "took $(date +%N) ns"; false']);
    expect([status, starts()]).toEqual([1, 3]);
    const { end } = lines.at(-1) as unknown as { end: { kind: string; evidence: string } };
    expect(end.kind).toBe("stalled");
    expect(end.evidence).toMatch(/^same failure 3 times in a row, and no file changed: /);
    expect(await json(["history", "task-001"])).toMatchObject({ status: "failed" });
  });

  it("when the agent is idle three times", async () => {
    const { run, starts, groupsLeft } = loopRepository("sleep 60", {
      settings: "run: { idle_timeout_seconds: 1 }",
    });
    const { status, lines } = await run(["Try", ...good]);
    expect([status, starts()]).toEqual([1, 3]);
    const { end } = lines.at(-1) as unknown as { end: { kind: string; evidence: string } };
    expect(end.kind).toBe("stalled");
    expect(end.evidence).toMatch(/the agent was killed after 1s without output/);
    expect(groupsLeft()).toEqual([]);
  });

  it.each([
    ["a file changes", "echo $n > work.txt", "false"],
    ["the failure is another one", "true", 'echo "error: $(cat seen/prompt-* | wc -l | tr 0-9 a-j)"; false'],
  ])("not when %s: it goes on to the last iteration", async (_, script, verify) => {
    const { run, starts } = loopRepository(script);
    const { status, lines } = await run(["Try", "--verify", verify, "--max-iterations", "5"]);
    expect([status, starts()]).toEqual([2, 5]);
    expect(lines.at(-1)).toMatchObject({ end: { kind: "exhausted" } });
  });
});

describe.concurrent("a run ends at a limit", () => {
  it("of iterations: exhausted, with the last reason", async () => {
    const { run, json } = loopRepository("echo $n > work.txt");
    const { status, lines } = await run(["Try", ...good, "--max-iterations", "2"]);
    expect(status).toBe(2);
    expect(lines.at(-1)).toMatchObject({
      end: {
        kind: "exhausted",
        evidence: "no success after 2 iterations; last: grep -q good work.txt: exited with 1",
      },
      iterations: 2,
    });
    expect(await json(["history", "task-001"])).toMatchObject({
      status: "failed",
      attempts: [{ outcome: { status: "failure" }, execution: { iterations: 2 } }],
    });
  });

  it("of cost: over-budget, with what was spent", async () => {
    const { run, json } = loopRepository(`echo $n > work.txt\n${sayAsClaude("going on", { costUsd: 0.4 })}`, {
      output: "claude-stream-json",
    });
    const { status, lines } = await run(["Try", ...good, "--max-cost", "1"]);
    expect(status).toBe(2);
    expect(lines.at(-1)).toMatchObject({
      end: { kind: "over-budget", evidence: "spent 1.20 of 1 USD" },
      iterations: 3,
      usage: { input_tokens: 300, output_tokens: 60, cost_usd: 1.2 },
    });
    const { attempts } = await json(["history", "task-001"]);
    expect(agentActions(attempts[0])).toHaveLength(3);
    expect(agentActions(attempts[0])[0]).toMatchObject({
      tool: "Bash",
      params: { command: "make" },
      success: true,
    });
    expect(attempts[0].outcome.status).toBe("failure");
  });

  it("of time: timed-out, also when it passes between two iterations", async () => {
    // So long that the test would be over before the agent ends by itself.
    const { run, json, groupsLeft } = loopRepository("sleep 300");
    const { status, lines } = await run(["Try", ...good, "--timeout", "1s"]);
    expect(status).toBe(2);
    expect(lines.at(-1)).toMatchObject({
      end: { kind: "timed-out", evidence: "the time limit of 1s was reached" },
    });
    expect(await json(["history", "task-001"])).toMatchObject({
      status: "failed",
      attempts: [{ outcome: { status: "timeout" } }],
    });
    expect(groupsLeft()).toEqual([]);
  });

  it("of one iteration: the agent is ended and the next iteration knows it", async () => {
    const { run, prompts, groupsLeft } = loopRepository("[ $n = 1 ] && sleep 30; echo good > work.txt");
    const { status, lines } = await run(["Try", ...good, "--iteration-timeout", "1s"]);
    expect(status).toBe(0);
    expect(linesOf(lines, "iteration-ended")[0]?.reason).toMatch(/^the agent timed out after \d+s; /);
    expect(prompts()[1]).toMatch(/the agent timed out after \d+s/);
    expect(groupsLeft()).toEqual([]);
  });
});

describe.concurrent("a run is interrupted", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("by %s: the agent is ended, the task is paused", async (signal) => {
    const { start, json, groupsLeft, cwd } = loopRepository("echo begun > seen/begun; sleep 60");
    const { child, ended, lines } = start(["run", "Try", ...good, "--json"]);
    await fileAppears(`${cwd}/seen/begun`);
    child.kill(signal);
    expect((await ended).status).toBe(130);
    expect(lines.at(-1)).toMatchObject({
      event: "run-ended",
      end: { kind: "interrupted", evidence: "stopped in iteration 1" },
      next: "ralph resume task-001",
    });
    expect(await json(["history", "task-001"])).toMatchObject({
      status: "paused",
      attempts: [{ outcome: { status: "failure", reason: "interrupted" } }],
      reflections: [],
    });
    expect(await json(["status"])).toMatchObject([{ task_id: "task-001", state: "interrupted" }]);
    expect(groupsLeft()).toEqual([]);
  });

  it("in the middle of a check, which counts as neither passed nor failed", async () => {
    const { start, cwd } = loopRepository("echo good > work.txt");
    const { child, ended } = start(["run", "Try", "--verify", "echo begun > seen/begun; sleep 60"]);
    await fileAppears(`${cwd}/seen/begun`);
    child.kill("SIGINT");
    const { status, stderr } = await ended;
    expect(status).toBe(130);
    expect(stderr).toMatch(/^ {2}→ echo begun > seen\/begun; sleep 60 \(stopped after \d+s\)$/m);
    expect(stderr).toMatch(/^→ iteration 1 stopped .*: stopped during verification$/m);
    expect(stderr).not.toContain("✗");
  });

  it("by a second signal at once, also when the agent ignores the first", async () => {
    const { start, json, groupsLeft, cwd } = loopRepository(
      "trap '' TERM INT HUP; echo begun > seen/begun; while :; do sleep 1; done",
    );
    // So long that the test would be over before the agent is killed for being slow.
    const env = { RALPH_RUN_KILL_GRACE_SECONDS: "600" };
    const { child, ended, untilSaid } = start(["run", "Try", ...good], env);
    await fileAppears(`${cwd}/seen/begun`);
    child.kill("SIGINT");
    await untilSaid("Stopping: waiting for the agent or the check to end; press again to kill it");
    expect(child.exitCode).toBe(null);
    child.kill("SIGINT");
    const { status, stdout } = await ended;
    expect(status).toBe(130);
    expect(stdout).toContain("task-001 interrupted: stopped in iteration 1");
    expect(await json(["history", "task-001"])).toMatchObject({ status: "paused" });
    expect(groupsLeft()).toEqual([]);
  });

  it("by ralph stop from another process, and goes on with ralph resume", async () => {
    const { start, ralph, json, groupsLeft, cwd, prompts } = loopRepository(
      "[ $n = 1 ] && echo begun > seen/begun && sleep 60; echo good > work.txt",
    );
    const { ended } = start(["run", "Try", ...good, "--max-iterations", "4"]);
    await fileAppears(`${cwd}/seen/begun`);
    expect((await ralph(["status"])).stdout).toMatch(/task-001 +running +scripted/);
    const stopped = await ralph(["stop"]);
    expect(stopped).toMatchObject({
      status: 0,
      stdout: "Stopped task-001; continue with: ralph resume task-001\n",
    });
    expect((await ended).status).toBe(130);
    expect(groupsLeft()).toEqual([]);
    const { status, stdout } = await ralph(["resume"]);
    expect(status).toBe(0);
    expect(stdout).toContain("task-001 completed: grep -q good work.txt: passed");
    expect(prompts()[1]).toContain("This is iteration 1 of at most 3");
    expect(await json(["history", "task-001"])).toMatchObject({ status: "completed", total_attempts: 2 });
    expect(await json(["metrics"])).toMatchObject({
      retry_improvement: { first_attempts: { of: 1, rate: 1 }, retries_with_reflections: { of: 0 } },
    });
  });
});
