import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openaiChat } from "../models/openai-chat.js";
import type { SessionAgent } from "./session-agent.js";

/** What opencode would install first, for half a minute, wherever it finds plugins: with these it has done that before. */
const installedBefore: Readonly<Record<string, string>> = {
  "package-lock.json": '{ "packages": { "": { "dependencies": { "@opencode-ai/plugin": "*" } } } }\n',
  "node_modules/.package-lock.json": "{}\n",
};

export const opencode: SessionAgent = {
  name: "opencode",
  protocol: openaiChat,
  connect({ home }, address) {
    const folder = join(home, ".config/opencode");
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    for (const [path, text] of Object.entries(installedBefore)) writeFileSync(join(folder, path), text);
    const limit = { context: 200_000, output: 8000 };
    const settings = {
      ...{ model: "loopback/scripted", small_model: "loopback/scripted" },
      ...{ autoupdate: false, share: "disabled" },
      provider: {
        loopback: {
          ...{ npm: "@ai-sdk/openai-compatible", name: "Loopback" },
          options: { baseURL: `${address}/v1`, apiKey: "any" },
          models: { scripted: { name: "Scripted", limit } },
        },
      },
    };
    writeFileSync(join(folder, "opencode.json"), JSON.stringify(settings));
    return { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };
  },
  settings: {
    ...Object.fromEntries(Object.entries(installedBefore).map(([path, text]) => [`.opencode/${path}`, text])),
    // It adds the first line itself where it is missing.
    "opencode.jsonc":
      '{\n  "$schema": "https://opencode.ai/config.json",\n  // Ours\n  "instructions": ["README.md"],\n  "mcp": {}\n}\n',
  },
  ownFiles: [".opencode/.gitignore"],
  trust: () => undefined,
  ask: (prompt) => ["run", prompt],
  shell: (command) => ({ tool: "bash", input: { command, description: "Run a command" } }),
  toolName: (tool) => `ralph_${tool}`,
  told: ({ added, prompt }) => `${added}\n${prompt}`,
};
