import { pathToFileURL } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import { ralphEnvironment, ralphProgram } from "./run-ralph.js";

export const eras = ["2025", "2026-07-28"] as const;

export type Era = (typeof eras)[number];

export interface ClientChoice {
  era?: Era;
  /** Folders, or URIs, that the client says it works in; a client without any does not speak of roots. */
  roots?: readonly string[];
  args?: readonly string[];
  /** Where Ralph's own home is, if not in the folder. */
  home?: string;
}

export interface ConnectedClient {
  client: Client;
  /** The process of the server. */
  pid: number;
  /** Calls a tool and returns what it answers. */
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
}

export interface ToolAnswer {
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the tool answers
  value: any;
  isError: boolean;
}

/** A client of the official SDK, connected to the built command. */
export async function connectClient(cwd: string, choice: ClientChoice = {}): Promise<ConnectedClient> {
  const { era = "2026-07-28", roots, args = [], home = cwd } = choice;
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      capabilities: roots === undefined ? {} : { roots: { listChanged: true } },
      versionNegotiation: { mode: era === "2025" ? "legacy" : { pin: era } },
    },
  );
  if (roots !== undefined)
    client.setRequestHandler("roots/list", () => ({ roots: roots.map((root) => ({ uri: uriOf(root) })) }));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [ralphProgram, "mcp", ...args],
    cwd,
    env: ralphEnvironment(home) as Record<string, string>,
    stderr: "ignore",
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    pid: transport.pid ?? 0,
    async call(name, given = {}) {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
      const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
      return { text, value: structuredContent, isError: isError === true };
    },
  };
}

/** What begins like a URI is one. */
const uriOf = (root: string) => (/^\w+:/.test(root) ? root : pathToFileURL(root).href);
