import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/agents/streams/agent-event.js";
import { openAgentStream } from "../../src/agents/streams/open-stream.js";
import { unwrapShell } from "../../src/agents/streams/tool-calls.js";
import { type AgentOutput, agentOutputs } from "../../src/domain/tasks/agent.js";
import { readLogEntry } from "../../src/episodic/attempts/storable-action.js";

const clock = () => new Date("2026-11-16T00:00:00.000Z");

function read(output: AgentOutput, ...chunks: (string | Buffer)[]): AgentEvent[] {
  const events: AgentEvent[] = [];
  const stream = openAgentStream(output, (event) => events.push(event), clock);
  for (const chunk of chunks) stream.push(Buffer.from(chunk as string));
  stream.end();
  return events;
}

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, "../fixtures/agent-output", `${name}.jsonl`));

function of<Kind extends AgentEvent["kind"]>(events: AgentEvent[], kind: Kind) {
  return events.filter((event): event is Extract<AgentEvent, { kind: Kind }> => event.kind === kind);
}

const actionsOf = (events: AgentEvent[]) => of(events, "action").map(({ action }) => action);

describe("Claude Code's output", () => {
  const events = read("claude-stream-json", fixture("claude"));

  it("becomes actions, each call paired with its result", () => {
    expect(actionsOf(events)).toMatchObject([
      {
        tool: "Bash",
        type: "bash",
        params: { command: "npm test" },
        success: false,
        error: expect.stringContaining("1 failed"),
        reasoning: "First the tests.",
      },
      { tool: "mcp__files__stat", success: true, output: "12 bytes\n[image]" },
      { tool: "Write", type: "write", params: { file_path: "/project/cart.js" }, success: true },
      { tool: "Task", type: "task", success: true, output: "nothing found" },
    ]);
    expect(actionsOf(events)[1]).not.toHaveProperty("type");
    expect(new Set(actionsOf(events).map((action) => action.idempotency_key)).size).toBe(4);
  });

  it("tells of a call when it begins", () => {
    const kinds = events.map(({ kind }) => kind);
    expect(kinds.indexOf("started")).toBeLessThan(kinds.indexOf("action"));
    expect(of(events, "started")[0]).toMatchObject({ tool: "Bash", params: { command: "npm test" } });
  });

  it("tells what was used, counting each message once", () => {
    const usage = of(events, "usage");
    expect(usage[1]).toMatchObject({ inputTokens: 10, outputTokens: 4 });
    expect(usage.at(-1)).toEqual({ kind: "usage", inputTokens: 70, outputTokens: 20, costUsd: 0.0525 });
  });

  it("ends with what the agent itself said last", () => {
    expect(events.at(-1)).toEqual({
      kind: "final",
      text: "Done. <promise>COMPLETE</promise>",
      isError: false,
      isComplete: true,
      subtype: "success",
      costUsd: 0.0525,
      turns: 3,
    });
    expect(of(events, "text").map(({ text }) => text)).toEqual([
      "First the tests.",
      "Done. <promise>COMPLETE</promise>",
    ]);
  });

  it("tells what the agent was not permitted to do", () => {
    expect(of(events, "problem")).toEqual([
      { kind: "problem", message: "permission denied to the agent: WebFetch", denied: ["WebFetch"] },
    ]);
  });

  it("has several results when what ran in the background wakes the agent", () => {
    const woken = read("claude-stream-json", fixture("claude-background"));
    const usage = of(woken, "usage").map(({ kind: _, ...used }) => used);
    expect(usage.at(-2)).toEqual({ inputTokens: 4500, outputTokens: 81, costUsd: 0.012 });
    expect(usage.at(-1)).toEqual({ inputTokens: 4500, outputTokens: 120, costUsd: 0.018 });
    expect(of(woken, "problem")).toEqual([
      { kind: "problem", message: "permission denied to the agent: WebFetch", denied: ["WebFetch"] },
    ]);
    expect(woken.at(-1)).toMatchObject({
      text: "It ended.\n\n<promise>COMPLETE</promise>",
      turns: 3,
      costUsd: 0.018,
      isComplete: true,
    });
  });

  it("tells the tokens of all models, with those of subagents", () => {
    const result = {
      type: "result",
      subtype: "success",
      total_cost_usd: 0.5,
      usage: { input_tokens: 20, output_tokens: 10 },
      modelUsage: {
        large: { inputTokens: 30, outputTokens: 15, cacheReadInputTokens: 5, cacheCreationInputTokens: 2 },
        small: { inputTokens: 3, outputTokens: 1 },
      },
    };
    const events = read("claude-stream-json", `${JSON.stringify(result)}\n`);
    expect(of(events, "usage")).toEqual([{ kind: "usage", inputTokens: 40, outputTokens: 16, costUsd: 0.5 }]);
  });

  it("is an error when it ends with one, or breaks off", () => {
    const limit =
      '{"type":"result","subtype":"error_max_budget_usd","is_error":true,"errors":["too dear"]}\n';
    expect(read("claude-stream-json", limit).at(-1)).toMatchObject({
      isError: true,
      isComplete: true,
      subtype: "error_max_budget_usd",
      text: "too dear",
    });
    const lines = fixture("claude").toString().split("\n");
    const broken = read("claude-stream-json", lines.slice(0, 6).join("\n"));
    expect(broken.at(-1)).toMatchObject({ isError: true, isComplete: false, text: "First the tests." });
    expect(actionsOf(broken).slice(1)).toMatchObject([
      { tool: "Write", success: false, error: expect.stringContaining("no result") },
      { tool: "Task", success: false },
    ]);
  });
});

describe("Codex's output", () => {
  const events = read("codex-json", fixture("codex"));

  it("becomes actions, with commands as they were meant and one action for each file", () => {
    expect(actionsOf(events)).toMatchObject([
      { type: "bash", params: { command: "echo hi > b.txt" }, success: true, reasoning: "Running." },
      {
        type: "bash",
        params: { command: 'npm test -- "cart"' },
        success: false,
        output: "1 failed\n",
        error: "Exit code 1",
      },
      { type: "edit", params: { path: "src/a.js", kind: "update" }, success: true },
      { type: "edit", params: { path: "src/b.js", kind: "add" }, success: true },
      { tool: "ralph.recall", params: { query: "cart" }, success: true, output: "two notes" },
    ]);
    expect(of(events, "started")).toHaveLength(5);
  });

  it.each(["toString", "constructor", "__proto__"])("may have items of an unknown type: %s", (type) => {
    const item = { id: "item_1", type };
    const lines = ["item.started", "item.completed"].map(
      (each) => `${JSON.stringify({ type: each, item })}\n`,
    );
    expect(read("codex-json", lines.join("")).map(({ kind }) => kind)).toEqual(["final"]);
  });

  it("tells of files when their change begins, and of a change that never ended", () => {
    const begun =
      '{"type":"item.started","item":{"id":"item_1","type":"file_change","changes":[{"path":"a.js","kind":"add"}],"status":"in_progress"}}\n';
    const broken = read("codex-json", begun);
    expect(broken.map(({ kind }) => kind)).toEqual(["started", "action", "final"]);
    expect(actionsOf(broken)).toMatchObject([
      { tool: "file_change", params: { path: "a.js" }, success: false },
    ]);
  });

  it("ends with its last message and what it used", () => {
    expect(of(events, "usage")).toEqual([{ kind: "usage", inputTokens: 20, outputTokens: 10 }]);
    expect(events.at(-1)).toMatchObject({
      text: "Done. <promise>COMPLETE</promise>",
      isError: false,
      isComplete: true,
      turns: 1,
    });
    expect(of(events, "problem")[0]?.message).toContain("Model metadata");
  });

  it("is an error when the turn failed", () => {
    const failed = read("codex-json", '{"type":"turn.failed","error":{"message":"no quota"}}');
    expect(failed).toEqual([expect.objectContaining({ isError: true, isComplete: true, text: "no quota" })]);
  });

  it.each([
    ["/bin/bash -lc 'a && b'", "a && b"],
    ["bash -lc ls", "ls"],
    [`bash -c 'it'"'"'s'`, "it's"],
    [`/usr/bin/zsh -lc "echo \\"x\\" \\$HOME"`, 'echo "x" $HOME'],
    ["bash -lc 'open", "bash -lc 'open"],
    ["bash -lc a b", "bash -lc a b"],
    ["npm test", "npm test"],
  ])("runs %j, which is %j", (command, inner) => {
    expect(unwrapShell(command)).toBe(inner);
  });
});

describe("Gemini CLI's output", () => {
  const events = read("gemini-stream-json", fixture("gemini"));

  it("becomes actions and a final text from its pieces", () => {
    expect(actionsOf(events)).toMatchObject([
      {
        timestamp: "2026-11-15T19:00:02.000Z",
        type: "read",
        params: { file_path: "/project/cart.js" },
        duration_ms: 250,
        reasoning: "I look first.",
      },
      { type: "bash", success: false, output: "1 failed", error: "exit 1", duration_ms: 1000 },
    ]);
    expect(of(events, "usage")).toEqual([{ kind: "usage", inputTokens: 100, outputTokens: 30 }]);
    expect(of(events, "problem")).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({
      text: "All is well.\n<promise>COMPLETE</promise>",
      isError: false,
      isComplete: true,
    });
  });
});

describe("opencode's output", () => {
  const events = read("opencode-json", fixture("opencode"));

  it("becomes actions, a final text and what all steps used", () => {
    expect(actionsOf(events)).toMatchObject([
      { type: "edit", params: { file_path: "/project/cart.js" }, success: true, duration_ms: 400 },
      { type: "bash", success: false, error: "permission denied" },
    ]);
    expect(of(events, "usage").at(-1)).toMatchObject({ inputTokens: 132, outputTokens: 9 });
    expect(of(events, "usage").at(-1)?.costUsd).toBeCloseTo(0.003);
    expect(events.at(-1)).toMatchObject({
      text: "Done.\n\n<promise>COMPLETE</promise>",
      isError: false,
      isComplete: true,
      turns: 2,
    });
  });

  it("is an error when it says so, or breaks off", () => {
    const error = '{"type":"error","sessionID":"s","error":{"name":"X","data":{"message":"no model"}}}\n';
    expect(read("opencode-json", error).at(-1)).toMatchObject({ isError: true, text: "no model" });
    const lines = fixture("opencode").toString().split("\n");
    expect(read("opencode-json", lines.slice(0, 5).join("\n")).at(-1)).toMatchObject({ isComplete: false });
  });
});

describe("plain output", () => {
  it("is all said by the agent, and its end is kept", () => {
    const events = read("text", "héllo\n", Buffer.from([0xc3]), Buffer.from([0xa9]), "!");
    expect(events.at(-1)).toEqual({ kind: "final", text: "héllo\né!", isError: false, isComplete: true });
    const long = read("text", ...Array<string>(100).fill("x".repeat(50_000)), "COMPLETE");
    const final = of(long, "final")[0]?.text ?? "";
    expect(final.length).toBeLessThan(1024 * 1024);
    expect(final.endsWith("COMPLETE")).toBe(true);
  });
});

describe("any output", () => {
  const names = ["claude", "codex", "gemini", "opencode"] as const;
  const outputs: Record<(typeof names)[number], AgentOutput> = {
    claude: "claude-stream-json",
    codex: "codex-json",
    gemini: "gemini-stream-json",
    opencode: "opencode-json",
  };

  it.each(names)("of %s means the same in pieces of any size", (name) => {
    const bytes = fixture(name);
    const whole = read(outputs[name], bytes);
    for (const size of [1, 7, 100]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      expect(read(outputs[name], ...chunks)).toEqual(whole);
    }
  });

  it.each(names)("of %s gives actions that the log takes as they are", (name) => {
    for (const action of actionsOf(read(outputs[name], fixture(name)))) {
      const entry = readLogEntry({ ...action, iteration: 2 }, clock().toISOString());
      expect(entry).toMatchObject({
        kind: "action",
        action: { iteration: 2, tool: action.tool, success: action.success },
      });
      if (action.type !== undefined) expect(entry).toMatchObject({ action: { type: action.type } });
    }
  });

  it.each(agentOutputs)("as %s is survived, whatever it is, and ends with one final event", (output) => {
    const junk = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => Buffer.from(`${text}\n`)),
      fc
        .constantFrom(...names)
        .chain((name) => fc.constantFrom(...fixture(name).toString().split("\n")))
        .chain((line) => fc.nat(line.length).map((end) => Buffer.from(`${line.slice(0, end)}\n`))),
      fc
        .record({
          type: fc.constantFrom("assistant", "user", "result", "item.completed", "tool_use", "step_finish"),
          message: fc.jsonValue(),
          item: fc.jsonValue(),
          part: fc.jsonValue(),
          usage: fc.jsonValue(),
          stats: fc.jsonValue(),
        })
        .map((message) => Buffer.from(`${JSON.stringify(message)}\n`)),
    );
    fc.assert(
      fc.property(fc.array(junk, { maxLength: 20 }), (chunks) => {
        const events = read(output, ...chunks);
        expect(events.at(-1)?.kind).toBe("final");
        expect(of(events, "final")).toHaveLength(1);
      }),
      { numRuns: 150 },
    );
  });

  it("may hold lines that are not JSON: the first are told, the rest counted", () => {
    const lines = Array.from(
      { length: 20 },
      (_, at) => `\nError ${at}: key sk-ant-abcdefghijklmnop0123\n{"no\n`,
    );
    const problems = of(read("codex-json", ...lines, fixture("codex")), "problem").map(
      ({ message }) => message,
    );
    expect(problems[0]).toMatch(/^not JSON: Error 0: key /);
    expect(problems.join("\n")).not.toContain("abcdefghijklmnop");
    expect(problems).toHaveLength(5 + 1 + 1);
    expect(problems.at(-1)).toBe("35 more lines of output could not be parsed");
  });

  it("may hold a line that is too long, which is left out, and goes on behind it", () => {
    const events: AgentEvent[] = [];
    const stream = openAgentStream("codex-json", (event) => events.push(event), clock);
    const piece = Buffer.alloc(1024 * 1024, "x");
    stream.push(Buffer.from('{"type":"item.completed","item":{"type":"agent_message","text":"'));
    for (let megabyte = 0; megabyte < 17; megabyte += 1) stream.push(piece);
    stream.push(Buffer.from('"}}\n'));
    stream.push(fixture("codex"));
    stream.end();
    expect(of(events, "problem")[0]?.message).toBe("a line of 17 MB was skipped");
    expect(of(events, "final")[0]).toMatchObject({ isComplete: true });
  });

  it("may be rubbish without end, which is told in a few words", () => {
    const piece = Buffer.from("y\n".repeat(128 * 1024));
    const events = read("claude-stream-json", ...Array<Buffer>(20).fill(piece));
    const problems = of(events, "problem").map(({ message }) => message);
    expect(problems.slice(5)).toEqual([
      expect.stringMatching(/^\d+ more lines of output could not be parsed$/),
    ]);
    expect(events.length).toBeLessThan(10);
  });

  it("may be nested deeper than any stack", () => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    const call = `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":${deep}}]}}\n`;
    const result = `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":${deep}}]}}\n`;
    const events = read("claude-stream-json", call, result, fixture("claude"));
    expect(events.at(-1)).toMatchObject({ isComplete: true });
    for (const action of actionsOf(events)) readLogEntry({ ...action, iteration: 1 }, clock().toISOString());
  });
});
