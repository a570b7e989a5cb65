import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/agents/streams/agent-event.js";
import { openAgentStream } from "../../src/agents/streams/open-stream.js";
import { runProcess } from "../../src/processes/run-process.js";
import { runRalph } from "../support/run-ralph.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";
import { loopRepository } from "../support/scripted-agent.js";

const megabyte = 1024 * 1024;

describe("a gigabyte of output", () => {
  it("of a program is read to its end and fills no memory", async () => {
    let seen = 0;
    const before = process.memoryUsage().rss;
    const result = await runProcess({
      program: "head",
      args: ["-c", String(1024 * megabyte), "/dev/zero"],
      folder: scratchFolder(),
      environment: { PATH: process.env.PATH },
      onOutput: (chunk) => {
        seen += chunk.byteLength;
      },
    });
    expect([seen, result.outputBytes]).toEqual([1024 * megabyte, 1024 * megabyte]);
    expect(result.output.length).toBeLessThan(200 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * megabyte);
  });

  it("of an agent that is rubbish is passed over, with a few words", () => {
    const events: AgentEvent[] = [];
    const stream = openAgentStream(
      "claude-stream-json",
      (event) => events.push(event),
      () => new Date(),
    );
    const piece = Buffer.from("y\n".repeat(megabyte / 2));
    const before = process.memoryUsage().rss;
    for (let pushed = 0; pushed < 1024; pushed += 1) stream.push(piece);
    stream.end();
    expect(events.length).toBeLessThan(10);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * megabyte);
  });
});

describe("a line of 100 MB", () => {
  it("in an agent's output is left out, and its memory is given back", () => {
    const events: AgentEvent[] = [];
    const stream = openAgentStream(
      "codex-json",
      (event) => events.push(event),
      () => new Date(),
    );
    const piece = Buffer.alloc(megabyte, "x");
    stream.push(Buffer.from('{"type":"item.completed","item":{"type":"agent_message","text":"'));
    for (let pushed = 0; pushed < 100; pushed += 1) stream.push(piece);
    stream.push(Buffer.from('"}}\n'));
    stream.end();
    expect(events).toContainEqual({ kind: "problem", message: "a line of 100 MB was skipped" });
  });
});

describe("an action with 50 MB of output", () => {
  it("is recorded with both ends of it", async () => {
    const cwd = scratchRepository();
    await runRalph(["task", "init", "Flood"], { cwd });
    await runRalph(["task", "start", "task-001"], { cwd });
    const line = `{"tool":"Bash","output":"begin ${"x".repeat(50 * megabyte)} end"}\n`;
    expect((await runRalph(["task", "log", "task-001"], { cwd, input: line })).status).toBe(0);
    const { stdout } = await runRalph(["history", "task-001", "--json"], { cwd });
    const [action] = JSON.parse(stdout).attempts[0].actions;
    expect(action.output).toMatch(/^begin x[\s\S]*x end$/);
    expect(action.output.length).toBeLessThan(65 * 1024);
  });
});

describe("an agent that prints 200 MB", () => {
  it.runIf(existsSync("/proc/self/status"))("fills neither the memory of a run nor the record", async () => {
    const flood = "head -c 200000000 /dev/zero | tr '\\0' x; echo; echo '<promise>COMPLETE</promise>'";
    const { start, json } = loopRepository(flood);
    const { child, ended } = start(["run", "Flood"]);
    let mostKb = 0;
    const watch = setInterval(() => {
      const status = `/proc/${child.pid}/status`;
      if (!existsSync(status)) return;
      mostKb = Math.max(mostKb, Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, "utf8"))?.[1] ?? 0));
    }, 50);
    const { status } = await ended;
    clearInterval(watch);
    expect(status).toBe(0);
    expect(mostKb).toBeLessThan(400_000);
    const [result] = (await json(["history", "task-001"])).attempts[0].results;
    expect(result.output.length).toBeLessThan(100_000);
  });
});
