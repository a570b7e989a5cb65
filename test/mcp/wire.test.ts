import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/eventually.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

// biome-ignore lint/suspicious/noExplicitAny: whatever the server says
type Message = any;

interface Wire {
  server: ChildProcessWithoutNullStreams;
  messages: Message[];
  say(...messages: (object | string)[]): void;
  answerTo(id: number | string | null): Promise<Message>;
}

/** A server, and the lines that go to and fro. */
function openWire(cwd = scratchRepository()): Wire {
  const server = spawn(process.execPath, [ralphProgram, "mcp"], { cwd, env: ralphEnvironment(cwd) });
  onTestFinished(() => void server.kill("SIGKILL"));
  const messages: Message[] = [];
  createInterface({ input: server.stdout }).on("line", (line) => messages.push(JSON.parse(line)));
  return {
    server,
    messages,
    say(...said) {
      const lines = said.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
      server.stdin.write(`${lines.join("\n")}\n`);
    },
    answerTo: (id) =>
      eventually(
        () => messages.find((message) => message.id === id),
        () => JSON.stringify(messages),
      ),
  };
}

const request = (id: number | string, method: string, params: object = {}) => ({
  ...{ jsonrpc: "2.0", id, method, params },
});
const initialize = (protocolVersion: string) =>
  request("init", "initialize", {
    ...{ protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } },
  });
const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
const remember = (id: number, content: string) =>
  request(id, "tools/call", { name: "remember", arguments: { content } });
const modern = {
  _meta: {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  },
};

describe("the protocol", () => {
  it.each(["2025-06-18", "2025-11-25"])("of %s begins with initialize", async (version) => {
    const { say, answerTo } = openWire();
    say(initialize(version), initialized, request(1, "ping"), request(2, "tools/list"));
    const { result } = await answerTo("init");
    expect(result).toMatchObject({ protocolVersion: version, serverInfo: { name: "ralph" } });
    expect(result.instructions.split("\n").length).toBeLessThanOrEqual(6);
    expect((await answerTo(1)).result).toEqual({});
    expect((await answerTo(2)).result.tools).toHaveLength(8);
  });

  it("of 2026-07-28 begins with server/discover, or with any request", async () => {
    const { say, answerTo } = openWire();
    say(request(1, "server/discover", modern), request(2, "tools/list", modern));
    expect((await answerTo(1)).result).toMatchObject({
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {}, resources: {}, prompts: {} },
    });
    expect((await answerTo(2)).result).toMatchObject({ resultType: "complete" });
    const other = openWire();
    other.say(request(1, "prompts/list", modern));
    expect((await other.answerTo(1)).result.prompts).toHaveLength(1);
  });

  it("of 2025 may follow a probe for the newer one, as agents do", async () => {
    const { say, answerTo } = openWire();
    say(request(1, "server/discover", modern));
    await answerTo(1);
    say(initialize("2025-11-25"), initialized, request(2, "tools/list"));
    expect((await answerTo("init")).result.protocolVersion).toBe("2025-11-25");
    expect((await answerTo(2)).result.tools).toHaveLength(8);
  });

  it("knows what it does not know", async () => {
    const { say, answerTo } = openWire();
    say(initialize("2025-06-18"), initialized, request(1, "tools/fly"));
    expect((await answerTo(1)).error.code).toBe(-32601);
  });
});

describe("what cannot be read", () => {
  it("is answered with an error, and the server goes on", async () => {
    const { say, messages, answerTo } = openWire();
    say("{ not json", "\u0000\u0001", "", '"text"', "[]", { id: 7, method: 3 }, { jsonrpc: "2.0", id: 8 });
    say({ jsonrpc: "2.0", id: 9, method: "ping", params: [1] });
    say({ jsonrpc: "2.0", id: 10, method: "tools/list", params: { _meta: 7 } }, request(1e300, "ping"));
    say(initialize("2025-06-18"), initialized, remember(1, "kept after broken lines"));
    expect((await answerTo(1)).result.structuredContent.is_new).toBe(true);
    const codes = messages.filter(({ error }) => error).map(({ id, error }) => [id, error.code]);
    expect(codes).toEqual([
      ...[
        [null, -32700],
        [null, -32700],
      ],
      ...[
        [null, -32600],
        [null, -32600],
        [7, -32600],
        [8, -32600],
        [9, -32600],
        [10, -32600],
        [null, -32600],
      ],
    ]);
  });

  it("because it is too long is refused without being kept, and the server goes on", async () => {
    const { say, answerTo } = openWire();
    say(initialize("2025-06-18"), initialized);
    await answerTo("init");
    say(remember(1, "x".repeat(17 * 1024 * 1024)), request(2, "ping"));
    expect((await answerTo(null)).error).toMatchObject({ code: -32600 });
    expect((await answerTo(2)).result).toEqual({});
  });

  it("may be a message in several pieces, or with a carriage return", async () => {
    const { server, say, answerTo } = openWire();
    say(initialize("2025-06-18"), initialized);
    const bytes = Buffer.from(`${JSON.stringify(remember(1, "größer als ein Stück"))}\r\n`);
    for (let at = 0; at < bytes.length; at += 7) server.stdin.write(bytes.subarray(at, at + 7));
    expect((await answerTo(1)).result.structuredContent.is_new).toBe(true);
  });
});

describe("a request", () => {
  it("with wrong parameters gets one line that says what is wrong", async () => {
    const { say, answerTo } = openWire();
    say(initialize("2025-06-18"), initialized);
    say(request(1, "resources/read"), request(2, "prompts/get", { name: 7 }));
    say(request(3, "tools/call", { name: "recall", arguments: "objective" }));
    for (const [id, part] of [
      [1, "params.uri"],
      [2, "params.name"],
      [3, "params.arguments"],
    ] as const) {
      const { error } = await answerTo(id);
      expect(error).toMatchObject({ code: -32602, message: expect.stringContaining(part) });
      expect(error.message).not.toContain("\n");
    }
  });

  it("that is cancelled gets no answer", async () => {
    const { say, messages, answerTo } = openWire();
    say(initialize("2025-06-18"), initialized);
    await answerTo("init");
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    say(request(1, "tools/call", { name: "recall", arguments: { objective: "anything" } }), cancelled);
    say(remember(2, "stored after a cancelled request"));
    await answerTo(2);
    say(request(3, "tools/call", { name: "search", arguments: { query: "stored" } }));
    expect((await answerTo(3)).result.structuredContent.notes).toHaveLength(1);
    expect(messages.filter(({ id }) => id === 1)).toEqual([]);
  });

  it("that was made before the input ended is answered", async () => {
    const cwd = scratchRepository();
    const lines = [initialize("2025-06-18"), initialized, remember(1, "said at the end")];
    const input = lines.map((each) => JSON.stringify(each)).join("\n");
    const { status, stdout, stderr } = await runRalph(["mcp"], { cwd, input });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain('"is_new":true');
    expect((await runRalph(["memory", "list", "--json"], { cwd })).stdout).toContain("said at the end");
  });
});

describe("the server", () => {
  it("ends when its input ends, whatever was said", async () => {
    for (const said of [[], [initialize("2025-06-18")], [request(1, "server/discover", modern)], ["{"]]) {
      const { server, say } = openWire();
      if (said.length > 0) say(...said);
      server.stdin.end();
      const [status] = await once(server, "exit");
      expect(status).toBe(0);
    }
  });

  it("ends when nobody reads its output any more", async () => {
    const { server, say, answerTo } = openWire();
    say(initialize("2025-06-18"), initialized);
    await answerTo("init");
    server.stdout.destroy();
    const end = once(server, "exit");
    say(request(1, "tools/list"), request(2, "tools/list"));
    const [status] = await end;
    expect(status).toBe(0);
  });
});
