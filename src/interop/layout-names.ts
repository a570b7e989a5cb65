export interface LayoutSummary {
  /** What it holds, for help. */
  summary: string;
  /** Where it is by default. */
  place: string;
  isExported?: true;
  /** A layout that imports the same files among others. */
  coveredBy?: string;
}

/** The layouts of files that can be imported, in the order in which help lists them. */
export const layouts = {
  aiwg: {
    summary: "learnings, staged learnings, loops and memory across tasks of aiwg",
    place: ".aiwg",
    isExported: true,
  },
  episodic: { summary: "tasks as a tree of JSON files", place: ".aiwg/ralph", isExported: true },
  "cross-task": {
    summary: "finished tasks for cross-task learning",
    place: ".aiwg/ralph/memory",
    isExported: true,
    coveredBy: "aiwg",
  },
  ralph: {
    summary: "memories and tasks of ralph-orchestrator",
    place: ".ralph/agent",
    isExported: true,
  },
  loki: {
    summary: "episodes, patterns, facts, skills, ledgers and handoffs of loki",
    place: ".loki/memory",
    isExported: true,
  },
  "server-memory": {
    summary: "a knowledge graph of the MCP server for memory",
    place: "memory.jsonl",
    isExported: true,
  },
  "basic-memory": { summary: "Markdown notes of basic-memory", place: "~/basic-memory", isExported: true },
  beads: { summary: "issues and memories of beads", place: ".beads" },
  agentmemory: { summary: "memories of agentmemory", place: "standalone.json" },
  "claude-mem": { summary: "sessions and observations of claude-mem", place: "~/.claude-mem" },
  claude: { summary: "memories and rules of Claude Code", place: "~/.claude/projects/NAME/memory" },
  codex: { summary: "memories of Codex", place: "~/.codex/memories" },
  cursor: { summary: "rules of Cursor", place: ".cursor/rules" },
  gemini: { summary: "memories of Gemini CLI", place: "~/.gemini/GEMINI.md" },
  rules: { summary: "AGENTS.md and rules of Copilot, Kiro, Windsurf and Cline", place: "AGENTS.md" },
  jsonl: { summary: "all records of a dump", place: "backup.jsonl", isExported: true },
} as const satisfies Record<string, LayoutSummary>;

export type LayoutName = keyof typeof layouts;

export const layoutNames = Object.keys(layouts) as LayoutName[];

/** Those that are read and written through the port; a dump has commands of its own. */
export type PortLayout = Exclude<LayoutName, "jsonl">;

export const portLayouts = layoutNames.filter((name) => name !== "jsonl");

export const exportedLayouts = portLayouts.filter((name) => (layouts[name] as LayoutSummary).isExported);
