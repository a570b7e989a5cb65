import type { Environment } from "../domain/environment.js";
import type { ForeignFile, ForeignKind } from "../memory/imports/foreign-record.js";
import type { ExportSource } from "./export-source.js";
import type { TargetFolder } from "./target-folder.js";

export interface LayoutSummary {
  /** What it contains, for help. */
  summary: string;
  /** Its default place. */
  place: string;
  isExported?: true;
  /** A layout that imports the same files and others. */
  coveredBy?: string;
}

/** The layouts that can be imported, in the order in which help lists them. */
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
  ralph: { summary: "memories and tasks of ralph-orchestrator", place: ".ralph/agent", isExported: true },
  loki: {
    summary: "episodes, patterns, facts, skills, ledgers and handoffs of loki",
    place: ".loki/memory",
    isExported: true,
  },
  "server-memory": { summary: "a knowledge graph of the MCP server for memory", place: "memory.jsonl" },
  "basic-memory": { summary: "Markdown notes of basic-memory", place: "~/basic-memory" },
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

/** A dump has its own commands. */
export type PortLayout = Exclude<LayoutName, "jsonl">;

export const portLayouts = layoutNames.filter((name) => name !== "jsonl");

export const exportedLayouts = portLayouts.filter((name) => (layouts[name] as LayoutSummary).isExported);

const loaders: Record<PortLayout, () => Promise<Layout>> = {
  aiwg: async () => (await import("./aiwg/layout.js")).aiwgLayout,
  episodic: async () => (await import("./episodic/layout.js")).episodicLayout,
  "cross-task": async () => (await import("./cross-task/layout.js")).crossTaskLayout,
  ralph: async () => (await import("./ralph/layout.js")).ralphLayout,
  loki: async () => (await import("./loki/layout.js")).lokiLayout,
  "server-memory": async () => (await import("./importers/server-memory.js")).serverMemoryLayout,
  "basic-memory": async () => (await import("./importers/basic-memory.js")).basicMemoryLayout,
  beads: async () => (await import("./importers/beads.js")).beadsLayout,
  agentmemory: async () => (await import("./importers/agentmemory.js")).agentmemoryLayout,
  "claude-mem": async () => (await import("./importers/claude-mem.js")).claudeMemLayout,
  claude: async () => (await import("./importers/claude.js")).claudeLayout,
  codex: async () => (await import("./importers/codex.js")).codexLayout,
  cursor: async () => (await import("./importers/rules.js")).cursorLayout,
  gemini: async () => (await import("./importers/gemini.js")).geminiLayout,
  rules: async () => (await import("./importers/rules.js")).rulesLayout,
};

export function loadLayout(name: PortLayout): Promise<Layout> {
  return loaders[name]();
}

/** Where to look for data of other tools. */
export interface Surroundings {
  /** The folder of the project. */
  root: string;
  /** The user's home folder. */
  home: string;
  environment: Environment;
}

export interface ReadOptions {
  surroundings: Surroundings;
  /** Reads data despite a wrong checksum. */
  force: boolean;
  /** Names of the sections to read; empty for all. */
  only: readonly string[];
  /** Called with a line for each part that is left out: the file, and the part. */
  onSkipped(part: string): void;
}

export interface SectionSummary {
  name: string;
  file: string;
  /** Imported only if it is named. */
  isOptional: boolean;
}

export type WrittenCounts = Partial<Record<ForeignKind, number>>;

/** How another tool stores its records in files. */
export interface Layout {
  name: LayoutName;
  /** Paths of such data in the project and the user's home. */
  find(surroundings: Surroundings): string[];
  /**
   * The files below a path, each with its records; throws with the file and line of what cannot be read. Called once to check everything,
   * and again to import it, so it streams one file after the other.
   */
  read(path: string, options: ReadOptions): Iterable<ForeignFile> | AsyncIterable<ForeignFile>;
  /** The parts that a user can pick by name; absent if everything belongs together. */
  sections?(path: string, options: Pick<ReadOptions, "surroundings" | "force">): SectionSummary[];
  /**
   * Writes records in this layout and returns how many of each kind; imported records are written back unchanged except for later changes.
   */
  write?(source: ExportSource, target: TargetFolder): Promise<WrittenCounts>;
}
