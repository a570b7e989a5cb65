import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isGroupAlive } from "../../src/processes/end-processes.js";
import { fileAppears } from "../support/eventually.js";
import { agentActions, linesOf, loopRepository, sayAsClaude } from "../support/scripted-agent.js";

const good = ["--verify", "grep -q good work.txt"];

describe.concurrent("an agent that misbehaves", () => {
  it("is killed when it ignores every signal it can", async () => {
    const { run, groupsLeft } = loopRepository(
      "[ $n = 2 ] && echo good > work.txt && exit; trap '' TERM INT HUP; while :; do sleep 1; done",
    );
    const { status, lines } = await run(["Try", ...good, "--iteration-timeout", "1s"]);
    expect(status).toBe(0);
    // The limit, not what the agent took until it was gone.
    expect(linesOf(lines, "iteration-ended")[0]?.reason).toMatch(/^the agent timed out after 1s; /);
    expect(groupsLeft()).toEqual([]);
  });

  it("teaches nothing about the project when it breaks down, whatever is learned later", async () => {
    const { ralph, run, json } = loopRepository(
      "[ $n -le 2 ] && { echo 'boom: cannot reach API' >&2; exit 3; }; echo good > work.txt; echo 'Learned: Always write good into work.txt.'",
    );
    expect((await run(["Try", "--verify", "test -f work.txt"])).status).toBe(1);
    expect(await ralph(["resume", "task-001"])).toMatchObject({ status: 0 });
    const learnings: { type: string }[] = await json(["learnings", "list"]);
    expect(learnings.map(({ type }) => type)).toEqual(["strategy"]);
    expect(JSON.stringify(learnings)).not.toContain("boom");
  });

  it("may print more than is kept of it", async () => {
    const flood = "head -c 3000000 /dev/zero | tr '\\0' x";
    const { run, json } = loopRepository(
      `${flood}; ${flood} >&2; echo the end >&2; [ $n = 1 ] && exit 3; echo; echo '<promise>COMPLETE</promise>'`,
    );
    expect((await run(["Flood"])).status).toBe(0);
    const [first] = (await json(["history", "task-001"])).attempts[0].results;
    expect(first.output).toMatch(/xthe end$/);
    expect(first.output.length).toBeLessThan(100_000);
  });

  it("may print what is neither JSON nor UTF-8: what can be read is read, the rest is told", async () => {
    const { run, json } = loopRepository(
      `printf 'not json\\n{"type":"assistant","message":\\n\\377\\376{]\\n'
${sayAsClaude("done\n<promise>COMPLETE</promise>")}`,
      { output: "claude-stream-json" },
    );
    const { status, lines } = await run(["Try"]);
    expect(status).toBe(0);
    expect(linesOf(lines, "problem").map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^not JSON: not json/)]),
    );
    expect((await json(["history", "task-001"])).attempts[0].actions).toHaveLength(1);
  });

  it("may print nonsense as plain text, too", async () => {
    const { run } = loopRepository("printf '\\377\\376\\000\\033[31m\\n<promise>COMPLETE</promise>\\n'");
    expect((await run(["Try"])).status).toBe(0);
  });

  it("may leave its output in the middle: that is no success", async () => {
    const { run } = loopRepository(
      `[ $n = 1 ] && { echo '{"type":"system","session_id":"s"}'; echo 1 > work.txt; exit 0; }
${sayAsClaude("<promise>COMPLETE</promise>")}`,
      { output: "claude-stream-json" },
    );
    const { status, lines } = await run(["Try"]);
    expect(status).toBe(0);
    expect(linesOf(lines, "iteration-ended").map(({ verdict, reason }) => `${verdict}: ${reason}`)).toEqual([
      "failed: the agent's output was cut off",
      "completed: the agent says it is done",
    ]);
  });

  it("was not successful when a signal killed it, whatever it promised", async () => {
    const { run } = loopRepository(
      "echo '<promise>COMPLETE</promise>'; [ $n = 1 ] && echo 1 > work.txt && kill -9 $$; exit 0",
    );
    const { status, lines } = await run(["Try"]);
    expect(status).toBe(0);
    expect(linesOf(lines, "iteration-ended").map(({ verdict }) => verdict)).toEqual(["failed", "completed"]);
  });

  it("leaves nothing running, neither in the background nor in a session of its own", async () => {
    const { run, groupsLeft, cwd } = loopRepository(
      `echo good > work.txt
(trap '' HUP TERM; sleep 300) & sh -c 'sleep 300 & sleep 300' &
setsid sh -c 'echo $$ > seen/own; exec sleep 300' >/dev/null 2>&1 &
sh -c 'setsid sh -c "echo \\$\\$ > seen/daemon; exec sleep 300" >/dev/null 2>&1 & exit'
while [ ! -s seen/own ] || [ ! -s seen/daemon ]; do sleep 0.01; done`,
    );
    const check =
      "setsid sh -c 'echo $$ > seen/checker; exec sleep 300' >/dev/null 2>&1 & while [ ! -s seen/checker ]; do sleep 0.01; done";
    const { status } = await run(["Try", ...good, "--verify", check]);
    expect(status).toBe(0);
    expect(groupsLeft()).toEqual([]);
    const pids = ["own", "daemon", "checker"].map((name) =>
      Number(readFileSync(`${cwd}/seen/${name}`, "utf8")),
    );
    expect(pids.filter((pid) => pid > 1)).toHaveLength(3);
    expect(pids.filter(isGroupAlive)).toEqual([]);
  });

  it("may use the same numbers for its tool calls each time: every call is recorded", async () => {
    const { run, json } = loopRepository(
      `echo $n >> work.txt\n${sayAsClaude("on it", { session: "always" })}`,
      { output: "claude-stream-json" },
    );
    await run(["Try", "--max-iterations", "3"]);
    const { attempts } = await json(["history", "task-001"]);
    expect(agentActions(attempts[0]).map(({ iteration }) => iteration)).toEqual([1, 2, 3]);
  });
});

describe.concurrent("a verification that misbehaves", () => {
  it("is ended at its limit, with what it left behind", async () => {
    const { run, cwd } = loopRepository("echo $n > work.txt", { settings: "run: { verify_timeout: 1s }" });
    const { status, lines } = await run([
      "Try",
      "--verify",
      "echo $$ > seen/verify; sleep 300 & sleep 300",
      "--max-iterations",
      "1",
    ]);
    expect(status).toBe(2);
    expect(linesOf(lines, "iteration-ended")[0]?.reason).toMatch(/: timed out$/);
    expect(isGroupAlive(Number(readFileSync(`${cwd}/seen/verify`, "utf8")))).toBe(false);
  });
});

describe.concurrent("ralph killed in the middle of an iteration", () => {
  it("loses nothing recorded: status says it is gone, resume ends the orphan and goes on with the same options", async () => {
    const { start, json, ralph, groupsLeft, cwd, prompts } = loopRepository(
      `echo $n > work.txt
[ $n = 2 ] && { trap '' TERM HUP PIPE; echo begun > seen/begun; while :; do sleep 0.2; done; }
[ $n = 4 ] && echo good > work.txt
${sayAsClaude("on it", { costUsd: 0.1 })}`,
      { output: "claude-stream-json" },
    );
    const verify = ["--verify", "cat work.txt; grep -q good work.txt"];
    const { child, ended } = start(["run", "Try", ...verify, "--max-iterations", "4", "--json"]);
    await fileAppears(`${cwd}/seen/begun`);
    child.kill("SIGKILL");
    await ended;
    expect(groupsLeft()).toHaveLength(1);
    expect(await json(["status"])).toMatchObject([
      {
        task_id: "task-001",
        state: "process gone",
        attempt: 1,
        iterations: 1,
        process: child.pid,
        left_processes: expect.arrayContaining(groupsLeft()),
      },
    ]);
    const told = await ralph(["status"]);
    expect(told.stdout).toContain("process gone, agent running");
    expect(told.stderr).toMatch(
      /^task-001 was killed, but process(?:es)? .* still (?:runs; end it|run; end them) with: ralph stop task-001\nContinue with: ralph resume task-001; give it up with: .*\n$/m,
    );

    const { status, stdout } = await ralph(["resume", "--json"]);
    expect(status).toBe(0);
    expect(groupsLeft()).toEqual([]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ event: "run-started", resumed: true, max_iterations: 4 });
    expect(linesOf(lines, "iteration-ended").map(({ iteration }) => iteration)).toEqual([2, 3]);
    expect(prompts()[2]).toContain("This is iteration 2 of at most 4");
    expect(prompts()[2]).toMatch(/Feedback on the previous iteration[\s\S]*\$ cat work\.txt[\s\S]*\n1\n/);
    const task = await json(["history", "task-001"]);
    expect(task).toMatchObject({ status: "completed", total_attempts: 1 });
    expect(task.attempts[0].results.map(({ iteration }: { iteration: number }) => iteration)).toEqual([
      1, 2, 3,
    ]);
    expect(agentActions(task.attempts[0])).toHaveLength(3);
    expect(await json(["status"])).toEqual([]);
  });

  it("spends no more than was allowed in all", async () => {
    const { start, ralph, cwd } = loopRepository(
      `echo $n > work.txt; [ $n = 2 ] && echo begun > seen/begun && sleep 60
${sayAsClaude("on it", { costUsd: 0.6 })}`,
      { output: "claude-stream-json" },
    );
    const { child, ended } = start(["run", "Try", ...good, "--max-cost", "1", "--json"]);
    await fileAppears(`${cwd}/seen/begun`);
    child.kill("SIGKILL");
    await ended;
    const { status, stdout } = await ralph(["resume"]);
    expect(status).toBe(2);
    expect(stdout).toContain("task-001 over-budget: spent 1.20 of 1 USD");
  });

  it("opens again after each of eight kills, and keeps every iteration that was told", async () => {
    const { start, json, ralph, groupsLeft } = loopRepository("echo $n >> work.txt; sleep 0.05");
    const told = new Set<number>();
    for (let kill = 0; kill < 8; kill += 1) {
      const args =
        kill === 0 ? ["run", "Try", ...good, "--max-iterations", "200", "--json"] : ["resume", "--json"];
      const { child, ended, lines, until } = start(args);
      await until(({ event }) => event === "attempt-started");
      await pause((kill * 137) % 400);
      child.kill("SIGKILL");
      await ended;
      for (const { iteration } of linesOf(lines, "iteration-ended")) told.add(Number(iteration));
      const task = await json(["history", "task-001"]);
      const kept = new Set(task.attempts[0].results.map(({ iteration }: { iteration: number }) => iteration));
      expect([...told].filter((iteration) => !kept.has(iteration))).toEqual([]);
      expect(task.total_attempts).toBe(1);
    }
    const { ended, child, until } = start(["resume", "--json"]);
    await until(({ event }) => event === "iteration-ended");
    child.kill("SIGINT");
    expect((await ended).status).toBe(130);
    const [attempt] = (await json(["history", "task-001"])).attempts;
    const iterations = attempt.results.map(({ iteration }: { iteration: number }) => iteration);
    expect(iterations).toEqual(iterations.map((_: number, index: number) => index + 1));
    expect(iterations.length).toBeGreaterThanOrEqual(told.size);
    expect((await ralph(["doctor"])).status).toBe(0);
    expect(groupsLeft()).toEqual([]);
  });
});
