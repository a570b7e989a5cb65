import { execFile } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { version } from "../../src/version.js";
import { ralphEnvironment, ralphProgram } from "../support/run-ralph.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";
import { projectRoot } from "../support/source-imports.js";
import { installAgent } from "./install-agent.js";
import { startModelServer } from "./models/model-server.js";
import { claude } from "./real-agent.js";

const run = promisify(execFile);
const installed = await installAgent("claude");
if ("missing" in installed) console.warn(installed.missing);

it.runIf("program" in installed)("Claude Code runs the command that its plugin brings, by name", async () => {
  const root = scratchRepository();
  const [home, marketplace, programs] = [scratchFolder(), scratchFolder(), scratchFolder()];
  // As if it came from elsewhere: the package is not around it.
  cpSync(join(projectRoot, "plugins/claude"), marketplace, { recursive: true });
  const commands = ["command -v ralph-memory", "ralph-memory --version"];
  const server = await startModelServer(claude.protocol, ({ toolResults }) => {
    const command = commands[toolResults.length];
    return command === undefined
      ? { text: "Done." }
      : { text: "I try it.", call: { tool: "Bash", input: { command, description: "x" } } };
  });
  const agent = async (...args: string[]) => {
    const started = run("program" in installed ? installed.program : "", args, {
      cwd: root,
      env: ralphEnvironment(root, {
        PATH: [process.env.PATH, programs].join(delimiter),
        ...{ HOME: home, CLAUDE_CONFIG_DIR: undefined, ...claude.connect({ home } as never, server.address) },
      }),
      timeout: 60_000,
    });
    started.child.stdin?.end();
    return (await started).stdout;
  };
  const resultsOfSession = async () => {
    await agent("-p", "Tell the version", "--dangerously-skip-permissions");
    return server.requests.at(-1)?.toolResults ?? [];
  };
  try {
    await agent("plugin", "marketplace", "add", marketplace);
    await agent("plugin", "install", "ralph-memory@ralph");
    const [where, none] = await resultsOfSession();
    expect(where).toMatch(/ralph-memory.*\/bin\/ralph-memory/);
    expect(none).toContain("npm install -g ralph-memory");
    const script = `#!/bin/sh\nexec "${process.execPath}" "${ralphProgram}" "$@"\n`;
    writeFileSync(join(programs, "ralph-memory"), script, { mode: 0o755 });
    const [, told] = await resultsOfSession();
    expect(told).toContain(version);
  } finally {
    await server.stop();
  }
});
