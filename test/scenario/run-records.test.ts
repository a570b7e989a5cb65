import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Learning } from "../../src/domain/knowledge/learning.js";
import { loopRepository, sayAsClaude } from "../support/scripted-agent.js";

const check = ["--verify", "grep -q good work.txt"];

describe.concurrent("what the agent said", () => {
  it("is kept for each iteration, without secrets, and history shows it", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const { run, json, ralph } = loopRepository(
      `[ $n = 1 ] && echo 'I looked around with ${token}.' && exit 0
       echo good > work.txt; echo 'Now it is good.'`,
    );
    expect((await run(["Make work.txt good", ...check])).status).toBe(0);
    const { attempts } = await json(["history", "task-001"]);
    expect(attempts[0].results.map(({ said }: { said: string }) => said)).toEqual([
      expect.stringMatching(/^I looked around with .*redacted.*\.$/i),
      "Now it is good.",
    ]);
    expect(JSON.stringify(attempts)).not.toContain(token);
    const { stdout } = await ralph(["history", "task-001"]);
    expect(stdout).toContain("Agent, iteration 2: Now it is good.\n");
  });

  it("is clipped in the middle when it is long", async () => {
    const { run, json } = loopRepository(
      `echo good > work.txt; echo BEGIN; i=0; while [ $i -lt 900 ]; do echo "line $i of a long story"; i=$((i + 1)); done; echo END`,
    );
    expect((await run(["Make work.txt good", ...check])).status).toBe(0);
    const { attempts } = await json(["history", "task-001"]);
    const [{ said }] = attempts[0].results;
    expect(said).toMatch(/^BEGIN\n[\s\S]*characters left out[\s\S]*\nEND$/);
    expect(said.length).toBeLessThan(5000);
  });
});

describe.concurrent("an agent that does not end normally", () => {
  it("is recorded with the reason, and one that does has none", async () => {
    const { run, json } = loopRepository("[ $n = 1 ] && exit 3; echo good > work.txt");
    expect((await run(["Make work.txt good", ...check])).status).toBe(0);
    const { attempts } = await json(["history", "task-001"]);
    expect(attempts[0].results[0].trouble).toBe("the agent exited with code 3");
    expect(attempts[0].results[1]).not.toHaveProperty("trouble");
  });

  it("gives no estimate: it never worked on the task", async () => {
    const { run, json } = loopRepository("exit 1");
    expect((await run(["Make work.txt good", ...check])).status).toBe(1);
    await json(["learnings", "extract", "task-001"]);
    expect(await json(["learnings", "list", "--type", "estimate"])).toEqual([]);
  });

  it("gives no estimate either when each iteration fails alike", async () => {
    const { run, json } = loopRepository("echo $n > work.txt");
    const verify = ["--verify", "echo 'src/a.ts(7,1): error TS2304: Cannot find name'; false"];
    expect((await run(["Make it compile", ...verify, "--max-iterations", "5"])).status).toBe(2);
    expect(await json(["learnings", "list", "--type", "estimate"])).toEqual([]);
  });
});

interface RecordedAction {
  iteration: number;
  tool: string;
  params: Record<string, string>;
  success: boolean;
  output?: string;
  reasoning?: string;
}

/** Fails with a compiler's error until work.txt is good. */
const compile = [
  "--verify",
  "grep -q good work.txt || { echo 'src/a.ts(7,1): error TS2304: Cannot find name'; exit 1; }",
];

describe.concurrent("what an agent without reports did", () => {
  it("is recorded as edits that Git found, and each check with what it printed", async () => {
    const { run, json, ralph } = loopRepository(
      `[ $n = 1 ] && echo 'I guessed.' && echo poor > work.txt && exit 0
       echo good > work.txt; echo 'The work is good now.'; echo '<promise>COMPLETE</promise>'`,
    );
    expect((await run(["Make work.txt good", ...compile])).status).toBe(0);
    const [attempt] = (await json(["history", "task-001"])).attempts;
    const actions: RecordedAction[] = attempt.actions;
    expect(actions.map(({ iteration, tool, success }) => `${iteration} ${tool} ${success}`)).toEqual([
      "1 Edit true",
      "1 Bash false",
      "2 Edit true",
      "2 Bash true",
    ]);
    expect(actions[0]).toMatchObject({
      params: { file_path: "work.txt", old_string: "", new_string: "poor", from: "git" },
      reasoning: "I guessed.",
    });
    expect(actions[1]).toMatchObject({ params: { command: compile[1], from: "check" } });
    expect(actions[1]?.output).toContain("TS2304");
    expect(actions[2]).toMatchObject({
      params: { old_string: "poor", new_string: "good" },
      reasoning: "The work is good now.",
    });
    expect(attempt.errors_encountered).toMatchObject([
      { type: "TS2304", resolution: expect.stringContaining("work.txt") },
    ]);
    const replay = (await ralph(["replay", "task-001"])).stdout;
    expect(replay).toContain("why: The work is good now.");
    expect(replay).toContain("TS2304");
  });

  it("is not recorded twice when the agent reports its edits", async () => {
    const { run, json } = loopRepository(`echo good > work.txt; ${sayAsClaude("done", { tool: "Write" })}`, {
      output: "claude-stream-json",
    });
    expect((await run(["Make work.txt good", ...compile])).status).toBe(0);
    const [{ actions }] = (await json(["history", "task-001"])).attempts;
    expect(actions.map(({ tool, params }: RecordedAction) => `${tool} ${params.from ?? "agent"}`)).toEqual([
      "Write agent",
      "Bash check",
    ]);
  });

  it("is not known without Git, but the errors of its checks are", async () => {
    const { run, json, cwd } = loopRepository("[ $n = 2 ] && echo good > work.txt; exit 0");
    rmSync(join(cwd, ".git"), { recursive: true });
    const { status, lines } = await run(["Make work.txt good", ...compile]);
    expect(status).toBe(0);
    const ended = lines.filter(({ event }) => event === "iteration-ended");
    expect(ended.map((line) => "changed_files" in line)).toEqual([false, false]);
    const [{ actions, errors_encountered: errors }] = (await json(["history", "task-001"])).attempts;
    expect(actions.map(({ params }: RecordedAction) => params.from)).toEqual(["check", "check"]);
    expect(errors).toMatchObject([{ type: "TS2304" }]);
    expect(await json(["learnings", "list"])).toEqual([]);
  });

  it("is learned as the remedy of what its check showed", async () => {
    const { run, json } = loopRepository(
      `[ $n = 1 ] && echo poor > work.txt && exit 0
       [ $n = 2 ] && echo fair > work.txt && exit 0
       echo good > work.txt`,
    );
    const { status, lines } = await run(["Make work.txt good", ...compile]);
    expect(status).toBe(0);
    expect(lines.at(-1)?.learned).toMatchObject([
      { statement: expect.stringMatching(/ → change `fair` to `good` in work\.txt$/) },
    ]);
    const learnings: Learning[] = await json(["learnings", "list"]);
    expect(learnings).toMatchObject([
      {
        type: "antipattern",
        failure_key: "TS2304",
        content: { prevention: "change `fair` to `good` in work.txt" },
        remedy: "change `fair` to `good` in work.txt",
        incorrect_approach: "change `poor` to `fair` in work.txt",
      },
    ]);
  });

  it("is recorded without secrets", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const { run, json } = loopRepository(`printf 'good\n${token}\n' > work.txt`);
    expect((await run(["Make work.txt good", "--verify", "cat work.txt"])).status).toBe(0);
    const history = JSON.stringify(await json(["history", "task-001"]));
    expect(history).toContain("new_string");
    expect(history).not.toContain(token);
  });
});
