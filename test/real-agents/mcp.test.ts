import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { ralphEnvironment, ralphProgram } from "../support/run-ralph.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";
import { installAgent } from "./install-agent.js";
import { startModelServer } from "./models/model-server.js";
import { claude } from "./real-agent.js";

const run = promisify(execFile);
const installed = await installAgent("claude");
if ("missing" in installed) console.warn(installed.missing);

it.runIf("program" in installed)("Claude Code calls the tools of `ralph mcp`", async () => {
  const root = scratchRepository();
  const home = scratchFolder();
  mkdirSync(join(root, "src"));
  const steps = [
    { tool: "mcp__ralph__remember", input: { content: "Wombats are counted at night", type: "context" } },
    { tool: "mcp__ralph__recall", input: { objective: "Count the wombats" } },
  ];
  const server = await startModelServer(claude.protocol, ({ toolResults }) => {
    const call = steps[toolResults.length];
    return call === undefined ? { text: "Done." } : { text: "I ask memory.", call };
  });
  try {
    const config = { mcpServers: { ralph: { command: process.execPath, args: [ralphProgram, "mcp"] } } };
    const started = run(
      "program" in installed ? installed.program : "",
      [
        ...["-p", "Count the wombats", "--mcp-config", JSON.stringify(config), "--strict-mcp-config"],
        ...["--allowedTools", steps.map(({ tool }) => tool).join(",")],
      ],
      {
        cwd: join(root, "src"),
        env: ralphEnvironment(root, {
          ...{ HOME: home, ...claude.connect({ home } as never, server.address) },
        }),
        timeout: 50_000,
      },
    );
    started.child.stdin?.end();
    await started;
    const last = server.requests.at(-1);
    expect(last?.toolNames).toEqual(expect.arrayContaining(steps.map(({ tool }) => tool)));
    const [stored, recalled] = last?.toolResults ?? [];
    expect(JSON.parse(stored ?? "")).toMatchObject({ root, is_new: true });
    expect(JSON.parse(recalled ?? "").brief).toContain("Wombats are counted at night");
  } finally {
    await server.stop();
  }
});
