import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { findProcess, isRunning } from "../../src/processes/process-table.js";
import { eventually } from "../support/eventually.js";
import { connectClient, eras } from "../support/mcp-client.js";
import { ralphEnvironment, ralphProgram } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

/** Starts a server and a process that says hello to it and keeps its input open, tells of both, and waits to be killed. */
const clientProgram = `
const { spawn } = require("node:child_process");
const [program, holder] = process.argv.slice(1);
const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "short", version: "1" } };
const said = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: hello });
const input = holder && spawn("sh", ["-c", 'echo "$0"; exec sleep 100', said], { stdio: ["ignore", "pipe", "ignore"] });
const server = spawn(process.execPath, [program, "mcp"], { stdio: [input?.stdout ?? "pipe", "pipe", "ignore"] });
server.stdin?.write(said + "\\n");
server.stdout.once("data", () => console.log(server.pid, input?.pid ?? 0));
setInterval(() => {}, 1000);
`;

async function startClient(cwd: string, ...holder: ["holder"?]) {
  const client = spawn(process.execPath, ["-e", clientProgram, ralphProgram, ...holder.map(String)], {
    cwd,
    env: ralphEnvironment(cwd),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void client.kill("SIGKILL"));
  const [told] = await once(client.stdout, "data");
  const [server = 0, input = 0] = String(told).split(" ").map(Number);
  return { client, server, input };
}

/** A process that has ended but that nobody has waited for is none. */
const isThere = (pid: number) => {
  const entry = findProcess(pid);
  return entry !== undefined && isRunning(entry);
};
const hasEnded = (pid: number) =>
  eventually(
    () => !isThere(pid),
    () => `${pid} still runs`,
  );

describe("several clients", () => {
  it.each(eras)("of %s write at the same time, and nothing is lost", async (era) => {
    const root = scratchRepository();
    const clients = await Promise.all(Array.from({ length: 4 }, () => connectClient(root, { era })));
    const answers = await Promise.all(
      clients.flatMap(({ call }, client) =>
        Array.from({ length: 25 }, (_, note) =>
          call("remember", { content: `client ${client} says ${note}, which nobody else says` }),
        ),
      ),
    );
    expect(answers.filter(({ isError }) => isError)).toEqual([]);
    const ids = new Set(answers.map(({ value }) => value.id));
    expect(ids.size).toBe(100);
    const text = readFileSync(join(root, ".agent/memories.md"), "utf8");
    expect([...ids].filter((id) => !text.includes(id))).toEqual([]);
  });
});

describe("a client that is killed", () => {
  it("leaves no server behind", async () => {
    const root = scratchRepository();
    const started = await Promise.all(Array.from({ length: 5 }, () => startClient(root)));
    expect(started.map(({ server }) => isThere(server))).toEqual([true, true, true, true, true]);
    for (const { client } of started) client.kill("SIGKILL");
    for (const { server } of started) await hasEnded(server);
  });

  it("leaves none where another process keeps its input open", async () => {
    const { client, server, input } = await startClient(scratchRepository(), "holder");
    onTestFinished(() => void process.kill(input, "SIGKILL"));
    client.kill("SIGKILL");
    await hasEnded(server);
    expect(isThere(input)).toBe(true);
  });
});
