import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/eventually.js";
import { ralphEnvironment, ralphProgram } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";
import { seed, seededRandom } from "../support/seeded-random.js";

const { next: random, pick } = seededRandom();
console.log(`RALPH_SEED=${seed}`);

function openServer() {
  const cwd = scratchRepository();
  const server = spawn(process.execPath, [ralphProgram, "mcp"], { cwd, env: ralphEnvironment(cwd) });
  onTestFinished(() => void server.kill("SIGKILL"));
  const answered = new Map<unknown, { error?: { code: number } }>();
  createInterface({ input: server.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    answered.set(message.id, message);
  });
  const say = (message: object) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return { server, answered, say };
}

const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const requests = [
  ["tools/call", { name: "history", arguments: { limit: 1 } }],
  ["tools/call", { name: "search", arguments: { query: "x" } }],
  ["tools/call", { name: "handoff", arguments: { action: "list" } }],
  ["resources/read", { uri: "ralph://notes" }],
  ["prompts/get", { name: "start-task", arguments: { objective: "x" } }],
  ["tools/list", {}],
  ["resources/list", {}],
  ["ping", {}],
  ["server/discover", {}],
  ["tasks/get", {}],
] as const;
const strange = [null, 0, -1, 1.5, "", "x", true, [], {}, [null], "\u0000", "file:///", 1e300, { roots: 7 }];
const furtherKeys = ["_meta", "cursor", "inputResponses", "requestState", "task", "__proto__"];

/** Leaves members out, adds some, and puts something else in place of others. */
function bent(value: unknown, isInside = false): unknown {
  if (isInside && random() < 0.25) return pick(strange);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(() => random() > 0.1);
  if (random() < 0.2) members.push([pick(furtherKeys), pick(strange)]);
  return Object.fromEntries(members.map(([key, member]) => [key, bent(member, true)]));
}

describe("a server of MCP", () => {
  it.each(["initialize", "2026-07-28", "neither"])("answers 1,500 bent requests, after %s", async (kind) => {
    const { server, answered, say } = openServer();
    if (kind === "initialize") say({ id: 0, method: "initialize", params: hello });
    for (let id = 1; id <= 1500; id += 1) {
      const [method, params] = pick(requests);
      say({ id, method, params: bent(kind === "2026-07-28" ? { ...params, _meta: envelope } : params) });
      if (id % 100 === 0) await pause(20);
    }
    const missing = () =>
      Array.from({ length: 1500 }, (_, index) => index + 1).filter((id) => !answered.has(id));
    await eventually(
      () => missing().length === 0,
      () => `no answer to ${missing()}`,
    );
    expect([server.exitCode, [...answered.values()].filter(({ error }) => error?.code === -32603)]).toEqual([
      ...[null, []],
    ]);
  });

  it("refuses a line of 100 MB without keeping it, and ends after a line that is cut", async () => {
    const { server, answered, say } = openServer();
    say({ id: 1, method: "initialize", params: hello });
    await eventually(() => answered.has(1));
    const piece = Buffer.alloc(1024 * 1024, "x");
    for (let count = 0; count < 100; count += 1)
      if (!server.stdin.write(piece)) await once(server.stdin, "drain");
    server.stdin.write("\n");
    say({ id: 2, method: "ping" });
    await eventually(() => answered.has(2));
    expect(answered.get(null)?.error?.code).toBe(-32600);
    if (process.platform === "linux") {
      const [, peak = ""] =
        /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8")) ?? [];
      console.log(`its memory was ${Math.round(Number(peak) / 1024)} MB at most`);
    }
    const end = once(server, "exit");
    server.stdin.end('{"jsonrpc":"2.0","id":3,"meth');
    expect((await end)[0]).toBe(0);
    expect(answered.get(null)?.error?.code).toBe(-32700);
  });
});
