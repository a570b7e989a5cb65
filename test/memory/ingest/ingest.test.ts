import { describe, expect, it } from "vitest";
import type { AgentAction } from "../../../src/agents/streams/agent-event.js";
import { judgeWork } from "../../../src/episodic/attempts/end-iteration.js";
import { tasksOfSession, turnsAfter } from "../../../src/memory/ingest/session-tasks.js";
import { toActions } from "../../../src/memory/ingest/to-actions.js";
import type { Session, Turn } from "../../../src/transcripts/session.js";

const time = (second: number) => new Date(Date.UTC(2025, 9, 1, 10, 0, second)).toISOString();

function command(text: string, success = true, output = ""): AgentAction {
  const params = { command: text };
  return { timestamp: time(1), type: "bash", tool: "Bash", params, success, output, duration_ms: 0 };
}

function turn(prompt: string, actions: AgentAction[] = [], rest: Partial<Turn> = {}): Turn {
  return { prompt, actions, started: time(0), ended: time(9), said: "", isInterrupted: false, ...rest };
}

function session(...turns: Turn[]): Session {
  return { agent: "claude", id: "s", cwd: "/app", started: time(0), ended: time(9), turns, subagents: 0 };
}

const judge = (...turns: Turn[]) =>
  judgeWork({
    actions: toActions(turns, "/app").map(({ action }) => action),
    said: turns.map(({ said }) => said),
    isInterrupted: turns.at(-1)?.isInterrupted,
  });

describe("a session", () => {
  const first = turn("Add a page for the settings of a user", [command("npm test")], { said: "Added." });

  it("is one task, whatever is asked about it later", () => {
    const later = turn("The settings page should also have a button that resets everything to defaults");
    const tasks = tasksOfSession(session(first, turn("go on"), later, turn("commit")));
    expect(tasks.map(({ objective, turns }) => [objective, turns.length])).toEqual([[first.prompt, 4]]);
  });

  it("is two tasks if something is asked for that has no word in common with all before", () => {
    const other = turn("Investigate why kubernetes evicts our redis pods during nightly backups");
    const restart = turn("restart redis", [command("kubectl rollout restart deployment/redis")]);
    const tasks = tasksOfSession(session(first, other, restart));
    expect(tasks.map(({ turns }) => turns.length)).toEqual([1, 2]);
    expect(new Set(tasks.map(({ uuid }) => uuid)).size).toBe(2);
    expect(tasksOfSession(session(first))[0]?.uuid).toBe(tasks[0]?.uuid);
  });

  it("is no task as long as no tool was used, which changes nothing about the UUIDs of others", () => {
    const question = turn("Name the colours that the brand guide allows for headlines", [], {
      said: "Blue.",
    });
    const work = turn("Investigate why kubernetes evicts our redis pods", [command("kubectl get pods")]);
    expect(tasksOfSession(session(question))).toEqual([]);
    expect(tasksOfSession(session(question, work, question))).toEqual(tasksOfSession(session(work)));
  });

  it("that went on has as much new as happened after it was recorded", () => {
    const long = { ...command("npm run build"), timestamp: time(5), duration_ms: 10_000 };
    const turns = [
      turn("one", [command("ls"), long], { ended: time(15) }),
      turn("two", [], { started: time(20), ended: time(25), said: "Done" }),
    ];
    expect(turnsAfter(turns, time(9)).map(({ actions }) => actions.length)).toEqual([1, 0]);
    expect(turnsAfter(turns, time(25))).toEqual([]);
  });
});

describe("the outcome of a session", () => {
  it("is that of its last check", () => {
    expect(
      judge(turn("x", [command("npm test", false), command("npm test"), command("ls x", false)])),
    ).toEqual({ outcome: "success", reason: "the last check of the session passed: npm test" });
    expect(judge(turn("x", [command("npm test"), command("cargo build", false, "error")]))).toMatchObject({
      outcome: "failure",
      reason: "the last check of the session failed: cargo build",
    });
  });

  it("says so where there was no check", () => {
    expect(judge(turn("x", [command("ls x", false), command("ls y")]))).toEqual({
      outcome: "success",
      reason: "no check was run, and nothing failed at the end",
    });
    expect(judge(turn("x", [command("ls x", false)]))).toMatchObject({ outcome: "failure" });
    expect(judge(turn("x", [command("ls")], { isInterrupted: true }))).toMatchObject({
      reason: "interrupted",
    });
  });

  it("has what the agent says it learned in any of its turns, if its last check passed", () => {
    const said = "Done.\n\nLearned: amounts are integers of cents";
    const [lesson, thanks] = [
      turn("x", [command("npm test")], { said }),
      turn("y", [], { said: "Welcome." }),
    ];
    expect(judge(lesson, thanks)).toMatchObject({ whatWorked: ["amounts are integers of cents"] });
    expect(judge(lesson, turn("y", [command("npm test", false)]))).not.toHaveProperty("whatWorked");
    expect(judge(turn("x", [command("ls")], { said }))).not.toHaveProperty("whatWorked");
  });

  it("does not believe the exit code of a pipe", () => {
    const output = "src/a.ts(1,2): error TS2339: Property 'x' does not exist on type 'Y'.";
    expect(judge(turn("x", [command("npx tsc --noEmit 2>&1 | tail -5", true, output)]))).toMatchObject({
      outcome: "failure",
    });
    expect(judge(turn("x", [command("npx tsc --noEmit | tail -5", true, "")]))).toMatchObject({
      outcome: "success",
    });
  });
});

describe("an action of a session", () => {
  it("has paths in the project, the number of its turn, and of what was read the beginning", () => {
    const read: AgentAction = {
      timestamp: time(1),
      type: "read",
      tool: "Read",
      params: { file_path: "/app/src/a.ts" },
      success: true,
      output: "word ".repeat(10_000),
    };
    const [, second] = toActions([turn("a", [command("ls")]), turn("b", [read])], "/app");
    expect(second?.action).toMatchObject({ iteration: 2, params: { file_path: "src/a.ts" } });
    expect(second?.action.output?.length).toBeLessThan(300);
    expect(second?.action.output).toContain("of 50000 characters left out");
    const [failed] = toActions(
      [turn("a", [command("cd /app/api && npm test", false, "/app/api/a.js:3")])],
      "/app",
    );
    expect(failed?.action).toMatchObject({ params: { command: "cd api && npm test" }, output: "api/a.js:3" });
  });
});
