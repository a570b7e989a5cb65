import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";
import { installAgent } from "./install-agent.js";
import { startModelServer } from "./model-server.js";
import { claude } from "./real-agent.js";

const run = promisify(execFile);
const installed = await installAgent("claude");
if ("missing" in installed) console.warn(installed.missing);

const events = [
  "SessionStart",
  "UserPromptSubmit",
  "PostToolUse",
  "PostToolUseFailure",
  "Stop",
  "SessionEnd",
] as const;

it.runIf("program" in installed)(
  "a session of Claude Code gets its memory by hooks, and the next one the lesson of the first",
  async () => {
    const root = scratchRepository();
    const home = scratchFolder();
    const hooks = Object.fromEntries(
      events.map((event) => {
        const command = `"${process.execPath}" "${ralphProgram}" hook claude ${event}`;
        return [event, [{ hooks: [{ type: "command", command, timeout: 30 }] }]];
      }),
    );
    mkdirSync(join(root, ".claude"));
    writeFileSync(join(root, ".claude/settings.json"), JSON.stringify({ hooks }));
    await runRalph(["memory", "add", "Wombats are counted at night"], { cwd: root });
    const commands = ["node missing-file.mjs", "touch missing-file.mjs", "node missing-file.mjs"];
    const server = await startModelServer(claude.protocol, ({ toolResults }) => {
      const command = commands[toolResults.length];
      if (command === undefined) return { text: "Done." };
      return { text: "I try it.", call: { tool: "Bash", input: { command, description: "x" } } };
    });
    const ask = async (prompt: string) => {
      const first = server.requests.length;
      const started = run(
        "program" in installed ? installed.program : "",
        ["-p", prompt, "--dangerously-skip-permissions"],
        {
          cwd: root,
          env: ralphEnvironment(root, { HOME: home, ...claude.connect({ home } as never, server.address) }),
          timeout: 100_000,
        },
      );
      started.child.stdin?.end();
      await started;
      const request = server.requests[first];
      return `${request?.added}\n${request?.prompt}`;
    };
    try {
      expect(await ask("Count the wombats with node")).toContain("Wombats are counted at night");
      const { stdout } = await runRalph(["history", "task-001", "--json"], { cwd: root });
      expect(JSON.parse(stdout)).toMatchObject({
        description: "Count the wombats with node",
        status: "completed",
        attempts: [{ outcome: { status: "success" }, execution: { actions_performed: 3, iterations: 1 } }],
      });
      const replay = JSON.parse((await runRalph(["replay", "task-001", "--json"], { cwd: root })).stdout);
      expect(replay.steps[0]).toMatchObject({
        success: false,
        error: expect.stringContaining("missing-file"),
      });
      expect(await ask("Count the wombats again with node")).toContain("task-001");
    } finally {
      await server.stop();
    }
  },
  200_000,
);
