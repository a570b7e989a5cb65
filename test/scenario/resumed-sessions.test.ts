import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runRalph } from "../support/run-ralph.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";
import { claudeRows, type Exchange, writeTranscript } from "../support/write-transcripts.js";

type Event = Record<string, unknown>;
type Tasks = { id: string; description: string; total_attempts: number; status: string }[];

function makeScene() {
  const [cwd, home] = [scratchRepository(), scratchFolder()];
  const run = (args: string[], input?: string) =>
    runRalph(args, { cwd, env: { HOME: home, CLAUDE_CONFIG_DIR: undefined }, ...(input && { input }) });
  const json = async (...args: string[]) => JSON.parse((await run([...args, "--json"])).stdout);
  return {
    cwd,
    json,
    async hook(session: string, name: string, event: Event = {}) {
      const input = JSON.stringify({ session_id: session, cwd, hook_event_name: name, ...event });
      const { stdout } = await run(["hook", "claude", name], input);
      const answer = JSON.parse(stdout) as { hookSpecificOutput?: { additionalContext: string } };
      return answer.hookSpecificOutput?.additionalContext ?? "";
    },
    tasks: (): Promise<Tasks> => json("history"),
    write(session: string, exchanges: readonly Exchange[]) {
      const path = join(home, ".claude/projects/x", `${session}.jsonl`);
      writeTranscript(path, claudeRows({ id: session, cwd }, exchanges));
    },
  };
}

const bash = (command: string, id: string) => ({
  ...{ tool_name: "Bash", tool_input: { command }, tool_use_id: id },
  tool_response: { stdout: "ok", stderr: "" },
});

describe("a session that is resumed after its end", () => {
  it("goes on with its task in a further attempt, and with that task's brief", async () => {
    const { hook, tasks, json } = makeScene();
    await hook("one", "UserPromptSubmit", { prompt: "Fix the login test" });
    await hook("one", "PostToolUseFailure", {
      ...bash("npm test", "t1"),
      error: "Exit code 1\nError: Cannot find module 'luxon'",
    });
    await hook("one", "PostToolUse", bash("npm install luxon", "t2"));
    await hook("one", "PostToolUse", bash("npm test", "t3"));
    await hook("one", "SessionEnd", { reason: "other" });
    await hook("two", "UserPromptSubmit", { prompt: "Describe the release process in the guide" });
    await hook("two", "PostToolUse", bash("cat guide.md", "t9"));
    await hook("two", "SessionEnd", { reason: "other" });

    expect(await hook("one", "SessionStart", { source: "resume" })).toContain("luxon");
    await hook("one", "UserPromptSubmit", { prompt: "The login test fails again on the build server" });
    await hook("one", "PostToolUse", bash("npm ci", "t4"));
    await hook("one", "SessionEnd", { reason: "other" });
    expect(await tasks()).toHaveLength(2);
    expect(await json("history", "task-001")).toMatchObject({
      total_attempts: 2,
      status: "completed",
      attempts: [
        { actions: [{}, {}, {}] },
        { actions: [{ iteration: 1, params: { command: "npm ci" } }], milestones: [{ event: "prompt" }] },
      ],
    });
    const { reflections } = await json("history", "task-001");
    expect(JSON.stringify(reflections)).toContain("2 attempts and 2 iterations");
  });

  it("begins another task for something else, as one that goes on does", async () => {
    const { hook, tasks } = makeScene();
    await hook("one", "UserPromptSubmit", { prompt: "Fix the login test" });
    await hook("one", "PostToolUse", bash("npm test", "t1"));
    await hook("one", "SessionEnd", { reason: "other" });
    await hook("one", "SessionStart", { source: "resume" });
    await hook("one", "UserPromptSubmit", {
      prompt: "Write a migration that adds an index to the orders table",
    });
    await hook("one", "PostToolUse", bash("npm run migrate", "t2"));
    await hook("one", "SessionEnd", { reason: "other" });
    expect((await tasks()).map(({ total_attempts: attempts }) => attempts)).toEqual([1, 1]);
  });

  it("loses nothing if it was not finished before", async () => {
    const { hook, json, cwd } = makeScene();
    await hook("one", "UserPromptSubmit", { prompt: "Fix the login test" });
    await hook("one", "PostToolUse", bash("npm test", "t0"));
    const folder = join(cwd, ".ralph/sessions");
    const [name = ""] = readdirSync(folder).filter((each) => each.endsWith(".json"));
    const session = JSON.parse(readFileSync(join(folder, name), "utf8"));
    writeFileSync(join(folder, name), JSON.stringify({ ...session, isOver: true }));
    await hook("one", "SessionStart", { source: "resume" });
    await hook("one", "UserPromptSubmit", { prompt: "go on" });
    await hook("one", "PostToolUse", bash("npm ci", "t1"));
    expect(await json("history", "task-001")).toMatchObject({
      attempts: [{ outcome: expect.anything() }, { actions: [{ params: { command: "npm ci" } }] }],
    });
  });
});

describe("a transcript of a session that hooks have recorded", () => {
  const fixed: Exchange[] = [
    { prompt: "Fix the login test", steps: [{ tool: "Bash", input: { command: "npm test" } }] },
  ];

  it("adds nothing, and is left alone while they go on", async () => {
    const scene = makeScene();
    await scene.hook("one", "UserPromptSubmit", { prompt: "Fix the login test" });
    await scene.hook("one", "PostToolUse", bash("npm test", "t1"));
    scene.write("one", fixed);
    expect(await scene.json("ingest")).toMatchObject({ sessions: { being_written: 1 }, tasks: 0 });
    await scene.hook("one", "SessionEnd", { reason: "other" });
    expect(await scene.json("ingest")).toMatchObject({ sessions: { known: 1 }, tasks: 0, actions: 0 });
  });

  it("has as many tasks as were recorded, whatever they were split by", async () => {
    const scene = makeScene();
    const prompts = ["Fix the login test", "Write a migration that adds an index to the orders table"];
    for (const prompt of prompts) {
      await scene.hook("one", "UserPromptSubmit", { prompt });
      await scene.hook("one", "PostToolUse", bash("npm test", prompt.slice(0, 3)));
    }
    await scene.hook("one", "SessionEnd", { reason: "other" });
    scene.write("one", [
      ...fixed,
      { prompt: prompts[1] ?? "", steps: [{ tool: "Bash", input: { command: "npm test -- login" } }] },
    ]);
    expect(await scene.json("ingest")).toMatchObject({ sessions: { known: 1 }, tasks: 0, continued: 0 });
  });
});
