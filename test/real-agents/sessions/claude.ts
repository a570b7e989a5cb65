import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { claude as program } from "../real-agent.js";
import type { SessionAgent } from "./session-agent.js";

export const claude: SessionAgent = {
  name: "claude",
  protocol: program.protocol,
  connect: program.connect,
  settings: {
    ".claude/settings.json": `{
  "permissions": { "deny": ["WebFetch"] },
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "true" }] }]
  }
}
`,
    ".mcp.json": '{ "mcpServers": {} }',
  },
  ownFiles: [".claude/settings.local.json"],
  // As it does itself when a user approves the server.
  trust({ project: { root } }) {
    writeFileSync(join(root, ".claude/settings.local.json"), '{ "enabledMcpjsonServers": ["ralph"] }\n');
  },
  ask: (prompt) => ["-p", prompt, "--dangerously-skip-permissions"],
  shell: (command) => ({ tool: "Bash", input: { command, description: "Run a command" } }),
  toolName: (tool) => `mcp__ralph__${tool}`,
  told: ({ added }) => added,
};
