import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RealAgentName } from "./install-agent.js";
import { anthropicMessages, claudeUsage } from "./models/anthropic-messages.js";
import type { ModelAnswer, Protocol } from "./models/model-server.js";
import { codexUsage, openaiResponses } from "./models/openai-responses.js";
import type { ScratchProject } from "./scratch-project.js";

/** What a test has to know of a program to drive it. */
export interface RealAgent {
  name: RealAgentName;
  protocol: Protocol;
  /** Points the program to the model, and keeps it from everything else. */
  connect(project: ScratchProject, address: string): Record<string, string>;
  /** Runs the test, which fails. */
  runTest: ModelAnswer;
  /** Runs a command for a long time. */
  runLong(command: string): ModelAnswer;
  /** Adds a file, which mends nothing. */
  addFile(root: string): ModelAnswer;
  /** Mends the sum, in one or more steps. */
  mend(root: string): ModelAnswer[];
  /** The tools that this makes, as they are recorded. */
  recorded: { runTest: string; addFile: string; mend: string[] };
  /** What one answer of the model uses, as it is recorded. */
  usage: { input: number; output: number };
  tellsCost: boolean;
  dangerousFlag: string;
  carefulFlags: string[];
}

export const claude: RealAgent = {
  name: "claude",
  protocol: anthropicMessages,
  connect: ({ home }, address) => ({
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_API_KEY: "any",
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_TMPDIR: home,
    // It refuses to run as root with everything allowed, but for sandboxes.
    IS_SANDBOX: "1",
  }),
  runTest: {
    text: "I run the test first.",
    call: { tool: "Bash", input: { command: "node --test", description: "Run the test" } },
  },
  runLong: (command) => ({ text: "This takes long.", call: { tool: "Bash", input: { command } } }),
  addFile: (root) => ({
    text: "I write down what I saw.",
    call: { tool: "Write", input: { file_path: join(root, "seen.txt"), content: "seen\n" } },
  }),
  mend: (root) => [
    { text: "The sum subtracts.", call: { tool: "Read", input: { file_path: join(root, "sum.mjs") } } },
    {
      text: "I let it add.",
      call: {
        tool: "Edit",
        input: { file_path: join(root, "sum.mjs"), old_string: "a - b", new_string: "a + b" },
      },
    },
  ],
  recorded: { runTest: "Bash", addFile: "Write", mend: ["Read", "Edit"] },
  usage: {
    input: claudeUsage.input + claudeUsage.cacheCreation + claudeUsage.cacheRead,
    output: claudeUsage.output,
  },
  tellsCost: true,
  dangerousFlag: "--dangerously-skip-permissions",
  carefulFlags: ["--permission-mode", "acceptEdits"],
};

export const codex: RealAgent = {
  name: "codex",
  protocol: openaiResponses,
  connect({ home }, address) {
    const folder = join(home, "codex");
    mkdirSync(folder);
    writeFileSync(
      join(folder, "config.toml"),
      [
        'model = "scripted"',
        'model_provider = "loopback"',
        "check_for_update_on_startup = false",
        "[analytics]",
        "enabled = false",
        "[model_providers.loopback]",
        'name = "loopback"',
        `base_url = "${address}/v1"`,
        'wire_api = "responses"',
        'env_key = "SCRIPTED_KEY"',
        "",
      ].join("\n"),
    );
    return { CODEX_HOME: folder, SCRIPTED_KEY: "any" };
  },
  runTest: {
    text: "I run the test first.",
    call: { tool: "exec_command", input: { cmd: "node --test", yield_time_ms: 20_000 } },
  },
  runLong: (command) => ({
    text: "This takes long.",
    call: { tool: "exec_command", input: { cmd: command, yield_time_ms: 30_000 } },
  }),
  addFile: () => applyPatch("I write down what I saw.", ["*** Add File: seen.txt", "+seen"]),
  mend: () => [
    applyPatch("I let it add.", [
      "*** Update File: sum.mjs",
      "@@",
      "-export const sum = (a, b) => a - b;",
      "+export const sum = (a, b) => a + b;",
    ]),
  ],
  recorded: { runTest: "command_execution", addFile: "file_change", mend: ["file_change"] },
  usage: codexUsage,
  tellsCost: false,
  dangerousFlag: "--dangerously-bypass-approvals-and-sandbox",
  carefulFlags: ["--sandbox", "workspace-write"],
};

/** Models whose patch tool is not known write it as a command, which Codex takes for the tool. */
function applyPatch(text: string, lines: readonly string[]): ModelAnswer {
  const patch = ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  return { text, call: { tool: "exec_command", input: { cmd: `apply_patch <<'PATCH'\n${patch}\nPATCH\n` } } };
}
