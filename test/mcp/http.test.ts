import { spawn } from "node:child_process";
import { request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../support/eventually.js";
import { connectOverHttp, startHttpServer } from "../support/mcp-http-server.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

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

const megabyte = "x".repeat(1024 * 1024);

/** What a client gets that sends all of a large body before it looks at the answer. */
function send20Megabytes(address: string, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; connection: string | undefined; text: string }>(
    (done, fail) => {
      const sent = request(address, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
      });
      sent.on("response", async (response) => {
        const {
          statusCode: status,
          headers: { connection },
        } = response;
        done({ status, connection, text: (await response.setEncoding("utf8").toArray()).join("") });
      });
      sent.on("error", fail);
      for (let pieces = 0; pieces < 20; pieces++) sent.write(megabyte);
      sent.end();
    },
  );
}

describe("over HTTP", () => {
  it("only those who know the token and come by our own name are answered", async () => {
    const { address, token } = await startHttpServer(scratchRepository());
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
    expect(await ask({ authorization }, address.replace("/mcp", "//"))).toBe(404);
    expect(await ask({ authorization })).toBe(200);
  });

  it("the token may be given, and is then not printed", async () => {
    const RALPH_MCP_TOKEN = "a-token-of-our-own-choice";
    const { address, said } = await startHttpServer(scratchRepository(), { RALPH_MCP_TOKEN });
    const client = await connectOverHttp(address, RALPH_MCP_TOKEN, "2025");
    expect((await client.listTools()).tools).toHaveLength(8);
    expect(said.join("\n")).not.toContain(RALPH_MCP_TOKEN);
  });

  it.each([
    ["told before", { "content-length": String(20 * megabyte.length) }],
    ["found out while it is read", { "transfer-encoding": "chunked" }],
  ])(
    "a body of 20 MB, %s, is refused with an error of JSON-RPC, and others are served",
    async (_, headers) => {
      const { address, token } = await startHttpServer(scratchRepository());
      const authorization = `Bearer ${token}`;
      const { status, connection, text } = await send20Megabytes(address, { authorization, ...headers });
      expect([status, connection]).toEqual([413, "close"]);
      expect(JSON.parse(text)).toMatchObject({
        id: null,
        error: { message: expect.stringContaining("16777216 bytes") },
      });
      expect((await send20Megabytes(address, headers)).status).toBe(401);
      expect(await statusOf(address, { authorization })).toBe(200);
    },
  );

  it("a client that sends without an end is cut off after its answer", async () => {
    const { address, token } = await startHttpServer(scratchRepository());
    const { hostname, port, host } = new URL(address);
    const socket = connect(Number(port), hostname);
    const head = [
      ...["POST /mcp HTTP/1.1", `host: ${host}`, `authorization: Bearer ${token}`],
      ...["content-type: application/json", "transfer-encoding: chunked"],
    ];
    socket.write(`${head.join("\r\n")}\r\n\r\n`);
    let answer = "";
    socket.setEncoding("utf8").on("data", (piece) => {
      answer += piece;
    });
    const chunk = `${megabyte.length.toString(16)}\r\n${megabyte}\r\n`;
    const sendOn = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on("drain", sendOn).on("error", () => undefined);
    sendOn();
    await new Promise((closed) => socket.on("close", closed));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(socket.bytesWritten).toBeLessThan(300 * megabyte.length);
  });

  it.each([
    ["--json", {}],
    ["--format=json", { RALPH_MCP_TOKEN: "a-token-of-our-own-choice" }],
  ])("one line of JSON says how to connect, with %s", async (option, given: { RALPH_MCP_TOKEN?: string }) => {
    const cwd = scratchRepository();
    const server = spawn(process.execPath, [ralphProgram, "mcp", "--http", option], {
      cwd,
      env: ralphEnvironment(cwd, given),
    });
    onTestFinished(() => void server.kill("SIGKILL"));
    let [printed, said] = ["", ""];
    server.stdout.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
    server.stderr.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
    await eventually(() => printed.includes("\n"));
    const { url, headers } = JSON.parse(printed);
    const { RALPH_MCP_TOKEN: token } = given;
    if (token !== undefined) {
      expect(headers.Authorization).toBe(`Bearer \${RALPH_MCP_TOKEN}`);
      headers.Authorization = `Bearer ${token}`;
    }
    expect(await statusOf(url, headers)).toBe(200);
    expect([printed.split("\n").length, said]).toEqual([2, ""]);
  });

  it("wrong use is refused", async () => {
    const { cwd, address } = await startHttpServer(scratchRepository());
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
