import { spawn } from "node:child_process";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/eventually.js";
import { type Era, eras } from "../support/mcp-client.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

/** A server, where it listens, and the token that it printed. */
async function startServer(env: Record<string, string> = {}, cwd = scratchRepository()) {
  const server = spawn(process.execPath, [ralphProgram, "mcp", "--http"], {
    cwd,
    env: ralphEnvironment(cwd, env),
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  const said: string[] = [];
  createInterface({ input: server.stderr }).on("line", (line) => said.push(line));
  const find = (pattern: RegExp) => pattern.exec(said.join("\n"))?.[1];
  const address = await eventually(() => find(/^Listening on (\S+)$/m));
  const token = env.RALPH_MCP_TOKEN ?? (await eventually(() => find(/^Authorization: Bearer (\S+)$/m)));
  return { cwd, address, token, said };
}

async function connect(address: string, token: string, era: Era) {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: era === "2025" ? "legacy" : { pin: era } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}

/** The status that a request with these headers gets. */
function statusOf(address: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((done, fail) => {
    const sent = request(address, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
    });
    sent.on("response", (response) => done(response.resume().statusCode));
    sent.on("error", fail);
    sent.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }));
  });
}

describe("over HTTP", () => {
  it.each(eras)("a client of %s calls tools, reads resources and gets prompts", async (era) => {
    const { cwd, address, token } = await startServer();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const client = await connect(address, token, era);
    expect((await client.listTools()).tools).toHaveLength(8);
    const content = "The port is free";
    const stored = await client.callTool({ name: "remember", arguments: { content } });
    expect(stored.structuredContent).toMatchObject({ root: cwd, is_new: true });
    const { contents } = await client.readResource({ uri: "ralph://notes" });
    expect(JSON.stringify(contents)).toContain(content);
    const prompt = await client.getPrompt({ name: "start-task", arguments: { objective: "find a port" } });
    expect(JSON.stringify(prompt)).toContain(content);
  });

  it("only those who know the token and come by our own name are answered", async () => {
    const { address, token } = await startServer();
    const { host } = new URL(address);
    const authorization = `Bearer ${token}`;
    const ask = (headers: Record<string, string>, to = address) => statusOf(to, headers);
    expect(await ask({ authorization })).toBe(200);
    expect(await ask({ authorization, origin: `http://${host}` })).toBe(200);
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: "Bearer wrong" })).toBe(401);
    expect(await ask({ authorization: `Basic ${token}` })).toBe(401);
    expect(await ask({ authorization, host: "evil.example" })).toBe(403);
    expect(await ask({ authorization, origin: "http://evil.example" })).toBe(403);
    expect(await ask({ authorization, origin: "null" })).toBe(403);
    expect(await ask({ authorization }, address.replace("/mcp", "/other"))).toBe(404);
    expect(await ask({ authorization })).toBe(200);
  });

  it("the token may be given, and is then not printed", async () => {
    const RALPH_MCP_TOKEN = "a-token-of-our-own-choice";
    const { address, said } = await startServer({ RALPH_MCP_TOKEN });
    expect((await (await connect(address, RALPH_MCP_TOKEN, "2025")).listTools()).tools).toHaveLength(8);
    expect(said.join("\n")).not.toContain(RALPH_MCP_TOKEN);
  });

  it("wrong use is refused", async () => {
    const { cwd, address } = await startServer();
    const refusal = async (args: string[], env = {}) => {
      const { status, stderr } = await runRalph(["mcp", ...args], { cwd, env });
      return `${status} ${stderr}`;
    };
    expect(await refusal(["--http"], { RALPH_MCP_TOKEN: "short" })).toMatch(/^2 .*too easy to guess/);
    expect(await refusal(["--http", "--port", "70000"])).toMatch(/^2 .*--port/);
    expect(await refusal(["--http", "--port", new URL(address).port])).toMatch(/^2 .*cannot be used/);
    expect(await refusal(["--port", "7411"])).toMatch(/^2 .*--port needs --http/);
  });
});
