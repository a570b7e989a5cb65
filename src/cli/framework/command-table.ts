import { exportedLayouts, portLayouts } from "../../interop/layout.js";
import type { Command } from "./command.js";

export interface CommandGroup {
  summary: string;
  commands: CommandTree;
  /** Runs when the group's name is not followed by one of its commands. */
  defaultCommand?: () => Promise<Command>;
}

export type CommandTree = Readonly<Record<string, CommandGroup | (() => Promise<Command>)>>;

/** Commands that share a first word; their file is loaded when one of them is needed. */
function group<Name extends string>(
  summary: string,
  names: readonly Name[],
  load: (name: Name) => Promise<Command>,
): CommandGroup {
  return { summary, commands: Object.fromEntries(names.map((name) => [name, () => load(name)])) };
}

/** All commands. Each file is loaded when one of its commands is run, or its help is shown. */
export const commandTree: CommandTree = {
  init: async () => (await import("../commands/init.js")).initCommand,
  setup: async () => (await import("../commands/setup/setup.js")).setupCommand,
  run: async () => (await import("../commands/run/run.js")).runCommand,
  resume: async () => (await import("../commands/run/resume.js")).resumeCommand,
  stop: async () => (await import("../commands/stop.js")).stopCommand,
  status: async () => (await import("../commands/status.js")).statusCommand,
  sync: async () => (await import("../commands/sync.js")).syncCommand,
  hook: async () => (await import("../commands/hook.js")).hookCommand,
  trust: async () => (await import("../commands/trust.js")).trustCommand,
  memory: group(
    "manage notes written by people and agents",
    ["add", "search", "list", "show", "edit", "delete", "prime", "init"],
    async (name) => (await import("../commands/memory.js")).memoryCommands[name],
  ),
  task: group(
    "list tasks, and record them from your own runner: init, start, log, complete",
    ["init", "start", "log", "complete", "list", "show", "reflect", "rate", "pause", "continue"],
    async (name) => (await import("../commands/task.js")).taskCommands[name],
  ),
  learnings: group(
    "manage what was learned from tasks, with its evidence",
    [
      ...([
        "list",
        "show",
        "why",
        "extract",
        "review",
        "promote",
        "reject",
        "update",
        "delete",
        "stats",
      ] as const),
      ...(["prune", "merge", "export", "import", "publish", "verify", "backup", "restore"] as const),
    ],
    async (name) => (await import("../commands/learnings/learnings.js")).learningCommands[name],
  ),
  ingest: async () => (await import("../commands/ingest/ingest.js")).ingestCommand,
  consolidate: async () => (await import("../commands/learnings/pruning.js")).consolidateCommand,
  link: group(
    "manage typed links between records",
    ["add", "list", "remove"],
    async (name) => (await import("../commands/link.js")).linkCommands[name],
  ),
  history: {
    ...group(
      "show and archive recorded tasks",
      ["archive"],
      async (name) => (await import("../commands/history.js")).historyCommands[name],
    ),
    defaultCommand: async () => (await import("../commands/history.js")).historyCommand,
  },
  replay: async () => (await import("../commands/replay.js")).replayCommand,
  recall: async () => (await import("../commands/recall.js")).recallCommand,
  metrics: async () => (await import("../commands/metrics.js")).metricsCommand,
  search: async () => (await import("../commands/search.js")).searchTasksCommand,
  continuity: group(
    "show or update the file that says what is being worked on",
    ["show", "update"],
    async (name) => (await import("../commands/continuity.js")).continuityCommands[name],
  ),
  ledger: group(
    "show or record where each agent stopped",
    ["show", "list", "checkpoint"],
    async (name) => (await import("../commands/ledger.js")).ledgerCommands[name],
  ),
  handoff: group(
    "hand work over from one agent to another",
    ["create", "list", "show", "accept"],
    async (name) => (await import("../commands/handoff.js")).handoffCommands[name],
  ),
  export: group(
    "export records, also for other tools",
    [...exportedLayouts, "cross-task", "jsonl"],
    async (name) => (await import("../commands/export.js")).exportCommand(name),
  ),
  import: {
    ...group("import records, also from other tools", [...portLayouts, "jsonl"], async (name) =>
      (await import("../commands/import.js")).importCommand(name),
    ),
    defaultCommand: async () => (await import("../commands/import.js")).importFoundCommand,
  },
  store: group(
    "prepare a team's store, and move records",
    ["create", "migrate"],
    async (name) => (await import("../commands/store.js")).storeCommands[name],
  ),
  skill: group(
    "manage skills: proven procedures that agents can follow",
    ["list", "show", "match", "add", "draft", "link"],
    async (name) => (await import("../commands/skill.js")).skillCommands[name],
  ),
  index: group(
    "manage the search index",
    ["embed", "rebuild"],
    async (name) => (await import("../commands/search-index.js")).indexCommands[name],
  ),
  config: group(
    "show and change settings",
    ["show", "get", "set", "unset", "path"],
    async (name) => (await import("../commands/config.js")).configCommands[name],
  ),
  "merge-notes": async () => (await import("../commands/merge-notes.js")).mergeNotesCommand,
  mcp: async () => (await import("../commands/mcp.js")).mcpCommand,
  ui: async () => (await import("../commands/ui.js")).uiCommand,
  report: async () => (await import("../commands/report.js")).reportCommand,
  doctor: async () => (await import("../commands/doctor.js")).doctorCommand,
  completion: async () => (await import("../completion/completion-command.js")).completionCommand,
  demo: async () => (await import("../commands/demo.js")).demoCommand,
};
