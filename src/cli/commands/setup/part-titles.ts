import type { Part } from "../../../setup/agents/agent-setup.js";

/** What is written for an agent, in a word. */
export const partTitles: Record<Part["kind"], string> = {
  hooks: "hooks",
  mcp: "MCP",
  skill: "skill",
  plugin: "plugin",
  block: "block",
};
