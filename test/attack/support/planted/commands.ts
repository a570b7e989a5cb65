import type { Lane } from "./lanes.js";

export interface TriedCommand {
  name: string;
  args: readonly string[];
  input?: (lane: Lane) => string;
  /** A hook answers an agent that waits, and must not stop it. */
  isHook?: boolean;
}

/** What somebody, or his agent, runs in a repository that he opens. */
export const triedCommands: readonly TriedCommand[] = [
  hook("SessionStart", { source: "startup" }),
  hook("UserPromptSubmit", { prompt: "Fix the total of the cart" }),
  hook("PostToolUse", {
    tool_name: "Bash",
    tool_input: { command: "npm test" },
    tool_response: { stdout: "1 failed", stderr: "", interrupted: false },
  }),
  hook("Stop", { stop_hook_active: false }),
  hook("SessionEnd", { reason: "exit" }),
  ...[
    "",
    "status",
    "memory search cart",
    "memory list",
    "memory prime",
    "memory add Carts_round_half_up",
    "memory init",
    "recall cart",
    "doctor",
    "doctor --repair",
    "doctor --secrets",
    "task init Another",
    "task start task-002",
    "task list",
    "task complete task-002 --outcome failure",
    "learnings list",
    "learnings backup",
    "history",
    "search cart",
    "continuity show",
    "continuity update",
    "ledger list",
    "ledger checkpoint me",
    "handoff list",
    "export jsonl -",
    "index rebuild",
    "skill list",
    "skill match cart",
    "skill link",
    "metrics",
    "trust --list",
    "config show",
    "config set hooks.enabled true",
    "init",
    "setup git --yes",
    "setup --check",
    "import",
    "ingest",
    "consolidate",
    "sync",
    "stop",
    "resume",
  ].map((line) => ({ name: line || "(overview)", args: line.split(" ").filter((word) => word !== "") })),
  ...["show", "delete"].map((verb) => ({
    name: `memory ${verb}`,
    args: ["memory", verb, "mem-1700000000-0001"],
  })),
  { name: "mcp", args: ["mcp"], input: () => mcpRequests },
];

function hook(event: string, fields: Record<string, unknown>): TriedCommand {
  return {
    name: `hook ${event}`,
    args: ["hook", "claude", event],
    isHook: true,
    input: ({ project }) =>
      JSON.stringify({ session_id: sessionId, cwd: project, hook_event_name: event, ...fields }),
  };
}

/** Of the session that the project's template knows. */
const sessionId = "s1";

const mcpRequests = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  },
  { method: "notifications/initialized" },
  { id: 2, method: "tools/call", params: { name: "search", arguments: { query: "cart" } } },
  { id: 3, method: "tools/call", params: { name: "remember", arguments: { content: "Carts are kept" } } },
]
  .map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  .join("");
