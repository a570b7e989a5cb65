import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { eventually } from "./eventually.js";
import type { Era } from "./mcp-client.js";
import { ralphEnvironment, ralphProgram } from "./run-ralph.js";

/** `ralph mcp --http`, where it listens, and the token that it printed; it ends with the test. */
export async function startHttpServer(cwd: string, env: Record<string, string> = {}) {
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

/** A client of the official SDK. */
export async function connectOverHttp(address: string, token: string, era: Era): Promise<Client> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: era === "2025" ? "legacy" : { pin: era } } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }));
  onTestFinished(() => client.close());
  return client;
}
