import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseTranscripts, readSession } from "../../src/transcripts/choose-transcripts.js";
import { findTranscripts } from "../../src/transcripts/find-transcripts.js";
import type { ReadTranscript, Session } from "../../src/transcripts/session.js";
import { scratchFolder } from "../support/scratch.js";
import {
  claudeRows,
  codexRows,
  type Exchange,
  geminiRows,
  opencodeSession,
  type Row,
  writeOpencodeDatabase,
  writeTranscript,
} from "../support/write-transcripts.js";

const id = "0b9d3f3a-6f1e-4f6e-9d0a-3c1b5a7e9f10";
const cwd = "/home/dev/app";
const exchanges: Exchange[] = [
  {
    prompt: "Fix the login test",
    steps: [
      {
        tool: "Bash",
        input: { command: "npm test" },
        output: "1 failed",
        error: "Exit code 1\n1 failed",
        exitCode: 1,
      },
      { tool: "Bash", input: { command: "npm test" }, output: "all passed" },
    ],
    said: "It passes now.",
  },
  { prompt: "Thanks, commit it", steps: [{ tool: "Bash", input: { command: "git commit -am fix" } }] },
];

async function readAll(path: string): Promise<ReadTranscript[]> {
  const { transcripts } = await findTranscripts(path);
  const { chosen } = chooseTranscripts(transcripts, { now: new Date(), belongs: () => true });
  return chosen.map((each) => readSession(each, new Date()));
}

async function readOne(path: string): Promise<Session> {
  const [read] = await readAll(path);
  if (read === undefined) throw new Error("no session");
  return read.session;
}

const gistOf = ({ turns }: Session) =>
  turns.map(({ prompt, actions, said }) => ({
    prompt,
    did: actions.map(({ params, success }) => `${params.command} ${success ? "✓" : "✗"}`),
    said,
  }));

const gist = [
  { prompt: "Fix the login test", did: ["npm test ✗", "npm test ✓"], said: "It passes now." },
  { prompt: "Thanks, commit it", did: ["git commit -am fix ✓"], said: "" },
];

describe("the transcript of", () => {
  it("Claude Code becomes turns with their actions", async () => {
    const path = writeTranscript(join(scratchFolder(), `${id}.jsonl`), claudeRows({ id, cwd }, exchanges));
    const session = await readOne(path);
    expect(session).toMatchObject({ agent: "claude", id, cwd, started: "2025-10-01T10:00:01.000Z" });
    expect(gistOf(session)).toEqual(gist);
    expect(session.turns[0]?.actions[0]).toMatchObject({
      ...{ type: "bash", error: "Exit code 1\n1 failed", duration_ms: 1000 },
      idempotency_key: `${id}:toolu_${id}_0_0`,
    });
  });

  it("Codex becomes the same", async () => {
    const path = writeTranscript(join(scratchFolder(), "rollout-1.jsonl"), codexRows({ id, cwd }, exchanges));
    const session = await readOne(path);
    expect(session).toMatchObject({ agent: "codex", id, cwd });
    expect(gistOf(session)).toEqual(gist);
    expect(session.turns[0]?.actions[0]).toMatchObject({ error: "Exit code 1", output: "1 failed" });
  });

  it("Gemini CLI becomes the same, of a message that is written again the last form", async () => {
    const shell = exchanges.map(({ steps = [], ...rest }) => ({
      ...rest,
      steps: steps.map((step) => ({ ...step, tool: "run_shell_command" })),
    }));
    const path = writeTranscript(join(scratchFolder(), "session-1.jsonl"), geminiRows({ id, cwd }, shell));
    const session = await readOne(path);
    expect(session).toMatchObject({ agent: "gemini", id, cwd });
    expect(gistOf(session)).toEqual(gist);
  });

  it("opencode becomes the same, from an export and from its database", async () => {
    const folder = scratchFolder();
    const content = opencodeSession({ id, cwd }, exchanges);
    const path = await writeOpencodeDatabase(join(folder, "opencode.db"), content);
    const exported = writeTranscript(join(folder, "session.json"), [content]);
    for (const source of [path, exported]) {
      const session = await readOne(source);
      expect(session).toMatchObject({ agent: "opencode", id, cwd });
      expect(gistOf(session)).toEqual(gist);
    }
  });
});

describe("a prompt", () => {
  const user = (content: unknown, rest: Row = {}): Row => ({
    type: "user",
    sessionId: id,
    cwd,
    timestamp: "2025-10-01T10:00:00.000Z",
    message: { role: "user", content },
    ...rest,
  });

  it("is what a person wrote, not what the program did in the person's name", async () => {
    const rows = [
      user("<local-command-caveat>Caveat: …</local-command-caveat>", { isMeta: true }),
      user("<command-name>/mcp</command-name><command-args></command-args>"),
      user("<local-command-stdout>Reconnected</local-command-stdout>"),
      user("Add a page"),
      user("<task-notification>done</task-notification>", { promptSource: "system" }),
      user("done elsewhere", { origin: { kind: "task-notification" } }),
      user("This session is being continued …", { isCompactSummary: true }),
      user("   "),
      user([{ type: "text", text: "[Request interrupted by user]" }]),
      user([{ type: "text", text: "<system-reminder>x</system-reminder>Now the tests" }]),
      user(
        "<command-message>ship</command-message><command-name>/ship</command-name><command-args>it</command-args>",
      ),
      { ...{ type: "assistant", sessionId: id, message: { content: [{ type: "text", text: "Shipped" }] } } },
    ];
    const session = await readOne(writeTranscript(join(scratchFolder(), `${id}.jsonl`), rows));
    expect(session.turns.map(({ prompt, isInterrupted }) => [prompt, isInterrupted])).toEqual([
      ["Add a page", true],
      ["Now the tests", false],
      ["/ship it", false],
    ]);
  });

  it("that was refused a tool leaves no action", async () => {
    const rows = claudeRows({ id, cwd }, [
      {
        prompt: "Clean up",
        steps: [
          {
            tool: "Bash",
            input: { command: "rm -r x" },
            error: "The user doesn't want to proceed with this tool use.",
          },
        ],
      },
    ]);
    const session = await readOne(writeTranscript(join(scratchFolder(), `${id}.jsonl`), rows));
    expect(session.turns[0]?.actions).toEqual([]);
  });
});

describe("a subagent", () => {
  const work = [{ prompt: "sub", steps: [{ tool: "Bash", input: { command: "ls" } }] }];

  it("of Claude Code belongs to the turn in which it worked", async () => {
    const folder = scratchFolder();
    writeTranscript(join(folder, `${id}.jsonl`), claudeRows({ id, cwd }, exchanges));
    const rows = claudeRows({ id, cwd, started: "2025-10-01T10:00:05.500Z" }, work).map((row) => ({
      ...row,
      ...{ isSidechain: true, agentId: "a1" },
    }));
    writeTranscript(join(folder, id, "subagents/agent-a1.jsonl"), rows);
    const [read] = await readAll(folder);
    expect(read?.session.subagents).toBe(1);
    expect(read?.session.turns.map(({ actions }) => actions.length)).toEqual([2, 2]);
  });

  it("of Codex belongs to its parent's session, and one without a parent to none", async () => {
    const folder = scratchFolder();
    writeTranscript(join(folder, "10/01/rollout-a.jsonl"), codexRows({ id, cwd }, exchanges));
    writeTranscript(join(folder, "10/02/rollout-b.jsonl"), codexRows({ id: "b", cwd, parent: id }, work));
    writeTranscript(join(folder, "10/02/rollout-c.jsonl"), codexRows({ id: "c", cwd, parent: "gone" }, work));
    const { transcripts } = await findTranscripts(folder);
    const choice = chooseTranscripts(transcripts, { now: new Date(), belongs: () => true });
    expect(choice.chosen.map(({ main, helpers }) => [main.id, helpers.length])).toEqual([[id, 1]]);
    expect(choice.orphans).toBe(1);
  });
});

describe("Codex", () => {
  it("tells of a patch file by file, and of a call that no event reports", async () => {
    const row = (type: string, payload: Row) => ({ timestamp: "2025-10-01T10:00:01.000Z", type, payload });
    const item = (content: Row) => row("event_msg", { type: "item_completed", item: content });
    const rows = [
      row("session_meta", { id, cwd }),
      item({ type: "UserMessage", content: [{ type: "text", text: "Patch it" }] }),
      row("response_item", {
        type: "custom_tool_call",
        call_id: "c1",
        name: "apply_patch",
        input: "*** Begin Patch",
      }),
      item({
        type: "FileChange",
        id: "c1",
        status: "completed",
        changes: { "/a": { type: "add" }, "/b": { type: "add" } },
      }),
      row("response_item", { type: "custom_tool_call_output", call_id: "c1", output: "Exit code: 0" }),
      row("response_item", {
        type: "custom_tool_call",
        call_id: "c2",
        name: "apply_patch",
        input: "*** Begin Patch",
      }),
      row("response_item", {
        ...{ type: "custom_tool_call_output", call_id: "c2" },
        output: "apply_patch verification failed: no such file",
      }),
      row("response_item", {
        type: "function_call",
        call_id: "c3",
        name: "shell",
        arguments: '{"command":["bash","-lc","make"]}',
      }),
      row("response_item", {
        ...{ type: "function_call_output", call_id: "c3" },
        output: JSON.stringify({ output: "no rule", metadata: { exit_code: 2 } }),
      }),
    ];
    const session = await readOne(writeTranscript(join(scratchFolder(), "rollout-1.jsonl"), rows));
    expect(
      session.turns[0]?.actions.map(({ tool, params, success }) => [
        tool,
        params.path ?? params.command,
        success,
      ]),
    ).toEqual([
      ["file_change", "/a", true],
      ["file_change", "/b", true],
      ["apply_patch", undefined, false],
      ["command_execution", "make", false],
    ]);
  });
});
