import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { geminiContent } from "../models/gemini-content.js";
import type { SessionAgent } from "./session-agent.js";

const asking = ["--model", "gemini-2.5-pro", "--approval-mode", "yolo"];

export const gemini: SessionAgent = {
  name: "gemini",
  protocol: geminiContent,
  connect({ home }, address) {
    const settings = {
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    };
    mkdirSync(join(home, ".gemini"));
    writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(settings));
    return { GOOGLE_GEMINI_BASE_URL: address, GEMINI_API_KEY: "any" };
  },
  settings: {
    ".gemini/settings.json": `{
  // Ours
  "hooks": { "AfterAgent": [{ "hooks": [{ "type": "command", "command": "true" }] }] },
  "mcpServers": {}
}`,
  },
  ownFiles: [],
  // As it does itself when a user trusts the folder.
  trust({ project: { root, home } }) {
    writeFileSync(join(home, ".gemini/trustedFolders.json"), JSON.stringify({ [root]: "TRUST_FOLDER" }));
  },
  ask: (prompt) => ["--prompt", prompt, ...asking],
  // It never compacts the prompt that it works on, and without a terminal there is but one.
  compactsBy: { args: asking, command: "/compress", answer: "Chat history compressed", leave: "/quit" },
  shell: (command) => ({ tool: "run_shell_command", input: { command } }),
  toolName: (tool) => `mcp_ralph_${tool}`,
  told: ({ prompt }) => (prompt.match(/<hook_context>[\s\S]*?<\/hook_context>/g) ?? []).join("\n"),
};
