import { join } from "node:path";
import { readRegularFile } from "../../files/read-regular-file.js";
import type { Places } from "../agents/agent-setup.js";
import { parseJsonc, plainValue } from "../jsonc/parse-jsonc.js";

interface Approval {
  enableAllProjectMcpServers?: unknown;
  enabledMcpjsonServers?: unknown;
}

/** Claude Code starts a server of `.mcp.json` once the user has approved it. That is read here, never written. */
export function claudeDoubts({ root, home, environment }: Places): string[] {
  const folder = environment.CLAUDE_CONFIG_DIR || join(home, ".claude");
  const state = readJson(join(environment.CLAUDE_CONFIG_DIR || home, ".claude.json")) as {
    projects?: Record<string, Approval>;
  };
  const approvals: (Approval | undefined)[] = [
    readJson(join(folder, "settings.json")),
    readJson(join(root, ".claude/settings.json")),
    readJson(join(root, ".claude/settings.local.json")),
    state.projects?.[root],
  ];
  const isApproved = approvals.some(
    (each) =>
      each?.enableAllProjectMcpServers === true ||
      (Array.isArray(each?.enabledMcpjsonServers) && each.enabledMcpjsonServers.includes("ralph")),
  );
  return isApproved
    ? []
    : ["Claude Code starts the server in .mcp.json once you approve it: start claude here"];
}

function readJson(path: string): object {
  try {
    return Object(plainValue(parseJsonc(readRegularFile(path).toString("utf8"))));
  } catch {
    return {};
  }
}
