/**
 * The files that the command is bundled into. What is used together is loaded as one file, because each file that Node loads
 * costs a third of a millisecond and each kilobyte a tenth. A folder takes along what is in it, unless a sub-folder or a file
 * is listed itself. Chunks must not import each other in a circle: one of them would find the other's exports missing.
 */
export const chunks = {
  // The entry, which must load before all others: it finds their compiled code.
  main: ["cli/start"],
  keeping: ["cli/start/keep-code"],
  core: [
    "domain",
    "text",
    "text/fence/chat-markup",
    "text/fence/random-bytes",
    "files",
    "config",
    "store",
    "words",
    "trust",
    "search/documents",
    "memory",
    "memory/places",
    "memory/notes/sync-notes",
    "memory/notes/until-quiet",
    "memory/notes/note-type",
    "memory/notes/note-not-found",
    "memory/notes/resolve-note",
    "processes/host-name",
    "episodic/tasks/get-task",
    "cli",
    "cli/framework",
    "cli/output/terminal",
    "hooks/finish-left-sessions",
    "hooks/list-session-files",
    "interop/layout-names",
  ],
  help: ["cli/framework/help"],
  // What only a terminal needs.
  screen: ["cli/output/screen"],
  editor: ["cli/input/edit-text"],
  completion: ["cli/completion", "cli/commands/completion"],
  settings: ["config/loading"],
  "settings-editing": ["config/editing"],
  consent: ["trust/allowed-requests"],
  migrations: ["store/migrations"],
  moving: [
    "store/dump",
    "store/postgres/postgres-row-side",
    "memory/records",
    "memory/trust/copy-foreign-records",
    "cli/commands/store",
    "cli/output/loaded-records",
    "cli/output/terminal/rate",
  ],
  postgres: ["store/postgres"],
  team: ["memory/team", "store/team", "memory/places/team"],
  repair: ["store/sqlite/repair", "store/sqlite/backup"],
  records: ["store/repositories/tasks", "store/repositories/knowledge"],
  // What a recall does not read.
  "other-records": [
    "store/repositories/tasks/actions",
    "store/repositories/tasks/runs",
    "store/repositories/tasks/reflections",
    "store/repositories/tasks/capacity-changes",
    "store/repositories/knowledge/impact",
    "store/repositories/knowledge/staged-learnings",
    "store/repositories/knowledge/skill-uses",
    "store/repositories/knowledge/foreign-records",
    "store/repositories/knowledge/vectors",
    "store/repositories/working",
    "store/repositories/checks",
  ],
  tokens: ["text/tokens", "words/weights"],
  prime: ["memory/notes/prime"],
  "fenced-prime": ["memory/notes/prime/fenced-prime"],
  frequencies: ["words/frequencies"],
  fence: ["text/fence"],
  secrets: ["text/secrets", "memory/people"],
  "plain-texts": [
    "text/secrets/without-secrets",
    "text/secrets/hints",
    "text/secrets/own-rules",
    "text/secrets/mark",
  ],
  comparison: ["words/compare", "recall/compare"],
  replacing: ["semantic/replace", "memory/notes/compare"],
  notes: ["notes", "text/merge/match-units", "text/markdown/opaque-lines", "memory/notes"],
  "note-commands": [
    "cli/commands/memory",
    "cli/options/note-options",
    "cli/options/list-options",
    "cli/output/notes",
    "cli/output/times",
    "cli/output/lists/cut-list",
    "cli/input/read-content",
    "cli/input/read-document",
    "cli/input/read-lines",
    "cli/input/read-since",
    "cli/input/ask",
  ],
  // What other commands share.
  "command-parts": ["cli/options", "cli/output", "cli/input"],
  reading: ["search", "memory/notes/reading"],
  writing: ["memory/notes/writing", "memory/notes/indexing", "files/shared"],
  overwriting: ["files/writing"],
  merging: ["text/merge", "files/shared/late", "notes/merging", "memory/notes/merging", "working/merging"],
  "merge-driver": [
    "notes/merging/merge-versions",
    "notes/merging/merge-prose",
    "notes/merging/conflict-style",
    "cli/commands/merge",
  ],
  processes: ["processes"],
  runner: ["processes/runner", "processes/machine", "processes/marks", "processes/table"],
  git: ["processes/run-git"],
  failures: ["failures", "recall/evidence/asked-failures"],
  "failure-keys": ["failures/keys"],
  "task-summaries": [
    "episodic/tasks/summarise-task",
    "episodic/tasks/public-records",
    "episodic/tasks/work-done",
  ],
  "session-tasks": ["episodic/tasks/topic", "episodic/tasks/list-session-tasks", "hooks/work/session-task"],
  "task-records": ["episodic/tasks", "domain/tasks/commands/command-kind", "domain/tasks/learned-lines"],
  "work-kinds": ["words/work-kinds"],
  logging: [
    "episodic/attempts/log-entries",
    "episodic/attempts/end-turn",
    "episodic/attempts/holders",
    "episodic/attempts/storable-action",
    "episodic/attempts/read-log-entry",
    "episodic/attempts/check-result",
    "memory/outbox/or-later",
    "memory/outbox/outbox-entry",
  ],
  outbox: ["memory/outbox", "memory/away/deliver-tasks", "memory/tasks/after-attempt"],
  starting: [
    "episodic/attempts/start-attempt",
    "episodic/attempts/make-plan",
    "episodic/window",
    "episodic/reflections/rules/tried-without",
    "memory/tasks/brief",
  ],
  episodic: ["episodic"],
  reflectors: ["episodic/reflections/models"],
  semantic: [
    "semantic/extract",
    "semantic/staging",
    "semantic/records",
    "semantic/known",
    "semantic/merge",
    "semantic/exchange",
    "semantic/retrieve/lineage",
  ],
  recall: ["recall", "memory/recall", "semantic"],
  "recall-command": ["cli/commands/recall"],
  "own-reflections": ["recall/sources/reflection-source"],
  evidence: ["recall/evidence"],
  similar: ["recall/similar", "memory/recall/similar", "recall/estimate"],
  "told-tasks": [
    "recall/telling",
    "recall/similar/error-words",
    "recall/similar/term-positions",
    "recall/similar/term-weight",
  ],
  briefs: ["memory/tasks/brief/record-recall"],
  metrics: ["recall/metrics", "cli/commands/recall/metrics"],
  runs: ["memory/runs", "memory/away"],
  status: ["cli/commands/status"],
  "run-ends": ["memory/runs/ending", "memory/team/list-under-way"],
  tasks: ["memory/tasks", "memory/away/route-tasks", "cli/commands/task", "cli/commands/history"],
  learnings: ["memory/learnings", "memory/links", "cli/commands/learnings", "cli/commands/link"],
  lessons: ["memory/learnings/lessons"],
  exchange: ["memory/learnings/exchange", "memory/learnings/published-classes"],
  working: [
    "working",
    "memory/working",
    "cli/commands/continuity",
    "cli/commands/ledger",
    "cli/commands/handoff",
  ],
  skills: ["procedural", "text/markdown/split-front-matter", "memory/skills", "cli/commands/skill"],
  vectors: ["search/vectors", "embed", "net", "memory/derived/vectors"],
  upkeep: [
    "memory/derived",
    "memory/health",
    "memory/settings",
    "cli/commands/index",
    "cli/commands/project",
    "cli/commands/config",
    "memory/trust",
    "cli/commands/trust",
  ],
  "imported-texts": [
    "memory/recall/without-imported",
    "memory/trust/imported-text",
    "memory/imports/taking/injected-texts",
  ],
  streams: ["agents/streams"],
  loop: ["loop", "agents", "cli/commands/run", "cli/output/run", "cli/demo"],
  "live-run": ["cli/output/live"],
  hooks: ["hooks", "cli/commands/hook", "cli/input/read-hook-input", "agents/streams/fields"],
  "lost-folders": ["hooks/lost-folder"],
  "session-files": ["hooks/session-file", "hooks/may-be-over"],
  "hook-work": ["hooks/work"],
  "hook-turns": ["hooks/work/begin-task", "hooks/work/end-turn", "hooks/work/go-on"],
  "hook-ends": ["hooks/work/finish-session"],
  "shown-failures": ["episodic/attempts/shows-failure"],
  "tool-calls": [
    "hooks/tool-call",
    "agents/streams/tool-type",
    "agents/streams/tool-params",
    "agents/streams/unwrap-shell",
    "agents/streams/unwrap-output",
  ],
  // Apart from what it serves with, which help does not need.
  "mcp-command": ["cli/commands/mcp"],
  mcp: ["mcp"],
  "mcp-http": ["mcp/http"],
  loopback: ["net/loopback"],
  "ui-command": ["cli/commands/ui"],
  ui: ["ui"],
  report: ["ui/report"],
  "line-diff": ["text/line-diff"],
  programs: ["agents/find-program"],
  setup: ["setup", "cli/commands/setup"],
  ingest: ["transcripts", "memory/ingest", "cli/commands/ingest"],
  interop: [
    "interop",
    "memory/imports",
    "cli/commands/import",
    "cli/commands/export",
    "cli/output/import-report",
    "domain/record-digest",
    "store/sqlite/foreign-database",
  ],
};

const chunkOfFolder = new Map(
  Object.entries(chunks).flatMap(([chunk, folders]) => folders.map((folder) => [folder, chunk])),
);

const postgresPackages = /node_modules\/(?:pg|pg-[\w-]+|pgpass|postgres-[\w-]+|split2|xtend)\//;

/** The chunk of a package's file: most are for `ralph mcp`, of whose SDK the first file is only for HTTP. */
export function chunkOfPackage(path) {
  if (postgresPackages.test(path)) return "postgres";
  if (path.includes("node_modules/get-east-asian-width/")) return "core";
  return path.endsWith("@modelcontextprotocol/server/dist/index.mjs") ? "mcp-http" : "mcp";
}

/** The chunk of a file, by its path below `src/`; undefined for the entries at the top. */
export function chunkOf(path) {
  const own = chunkOfFolder.get(path.replace(/\.ts$/, ""));
  if (own !== undefined) return own;
  for (let folder = path; folder.includes("/"); ) {
    folder = folder.slice(0, folder.lastIndexOf("/"));
    const chunk = chunkOfFolder.get(folder);
    if (chunk !== undefined) return chunk;
  }
  return undefined;
}
