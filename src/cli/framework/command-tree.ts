import { exportedLayouts, type PortLayout, portLayouts } from "../../interop/layout.js";
import type { Command } from "./command.js";

export interface CommandGroup {
  summary: string;
  commands: CommandTree;
  /** Runs when the group's name is not followed by one of its commands. */
  defaultCommand?: () => Promise<Command>;
}

export type CommandTree = Readonly<Record<string, CommandGroup | (() => Promise<Command>)>>;

/** A command for each layout of files. */
function perLayout(
  names: readonly PortLayout[],
  load: (name: PortLayout) => Promise<Command>,
): Record<string, () => Promise<Command>> {
  return Object.fromEntries(names.map((name) => [name, () => load(name)]));
}

/** All commands, loaded on demand; those of a group are listed when one of them is looked for. */
export const commandTree: CommandTree = {
  init: async () => (await import("../commands/project/init.js")).initCommand,
  setup: async () => (await import("../commands/setup/setup.js")).setupCommand,
  run: async () => (await import("../commands/run/run.js")).runCommand,
  resume: async () => (await import("../commands/run/resume.js")).resumeCommand,
  stop: async () => (await import("../commands/status/stop.js")).stopCommand,
  status: async () => (await import("../commands/status/status.js")).statusCommand,
  sync: async () => (await import("../commands/status/sync.js")).syncCommand,
  hook: async () => (await import("../commands/hook/hook.js")).hookCommand,
  trust: async () => (await import("../commands/trust/trust.js")).trustCommand,
  memory: {
    summary: "manage notes written by people and agents",
    get commands() {
      return {
        add: async () => (await import("../commands/memory/add.js")).addCommand,
        search: async () => (await import("../commands/memory/search.js")).searchCommand,
        list: async () => (await import("../commands/memory/list.js")).listCommand,
        show: async () => (await import("../commands/memory/show.js")).showCommand,
        edit: async () => (await import("../commands/memory/edit.js")).editCommand,
        delete: async () => (await import("../commands/memory/delete.js")).deleteCommand,
        prime: async () => (await import("../commands/memory/prime.js")).primeCommand,
        init: async () => (await import("../commands/memory/init.js")).initMemoryCommand,
      };
    },
  },
  task: {
    summary: "list tasks, and record them from your own runner: init, start, log, complete",
    get commands() {
      return {
        init: async () => (await import("../commands/task/init.js")).initTaskCommand,
        start: async () => (await import("../commands/task/start.js")).startAttemptCommand,
        log: async () => (await import("../commands/task/log.js")).logCommand,
        complete: async () => (await import("../commands/task/complete.js")).completeCommand,
        list: async () => (await import("../commands/task/list.js")).listTasksCommand,
        show: async () => (await import("../commands/task/show.js")).showTaskCommand,
        reflect: async () => (await import("../commands/task/reflect.js")).reflectCommand,
        rate: async () => (await import("../commands/task/rate.js")).rateCommand,
        pause: async () => (await import("../commands/task/pause.js")).pauseCommand,
        continue: async () => (await import("../commands/task/pause.js")).continueCommand,
      };
    },
  },
  learnings: {
    summary: "manage what was learned from tasks, with its evidence",
    get commands() {
      return {
        list: async () => (await import("../commands/learnings/list.js")).listLearningsCommand,
        show: async () => (await import("../commands/learnings/show.js")).showLearningCommand,
        why: async () => (await import("../commands/learnings/why.js")).whyLearningCommand,
        extract: async () => (await import("../commands/learnings/extract.js")).extractCommand,
        review: async () => (await import("../commands/learnings/staging/review.js")).reviewCommand,
        promote: async () => (await import("../commands/learnings/staging/promote.js")).promoteCommand,
        reject: async () => (await import("../commands/learnings/staging/reject.js")).rejectCommand,
        update: async () => (await import("../commands/learnings/update.js")).updateLearningCommand,
        delete: async () => (await import("../commands/learnings/delete.js")).deleteLearningCommand,
        stats: async () => (await import("../commands/learnings/stats.js")).learningStatsCommand,
        prune: async () => (await import("../commands/learnings/prune.js")).pruneCommand,
        merge: async () => (await import("../commands/learnings/merge.js")).mergeCommand,
        export: async () => (await import("../commands/learnings/exchange/export.js")).exportLearningsCommand,
        import: async () => (await import("../commands/learnings/exchange/import.js")).importLearningsCommand,
        publish: async () => (await import("../commands/learnings/exchange/publish.js")).publishCommand,
        verify: async () => (await import("../commands/learnings/verify.js")).verifyCommand,
        backup: async () => (await import("../commands/learnings/exchange/backup.js")).backupCommand,
        restore: async () => (await import("../commands/learnings/exchange/restore.js")).restoreCommand,
      };
    },
  },
  ingest: async () => (await import("../commands/ingest/ingest.js")).ingestCommand,
  consolidate: async () => (await import("../commands/learnings/consolidate.js")).consolidateCommand,
  link: {
    summary: "manage typed links between records",
    get commands() {
      return {
        add: async () => (await import("../commands/link/add.js")).addLinkCommand,
        list: async () => (await import("../commands/link/list.js")).listLinksCommand,
        remove: async () => (await import("../commands/link/remove.js")).removeLinkCommand,
      };
    },
  },
  history: {
    summary: "show and archive recorded tasks",
    defaultCommand: async () => (await import("../commands/history/history.js")).historyCommand,
    get commands() {
      return {
        archive: async () => (await import("../commands/history/archive.js")).archiveCommand,
      };
    },
  },
  replay: async () => (await import("../commands/history/replay.js")).replayCommand,
  recall: async () => (await import("../commands/recall/recall.js")).recallCommand,
  metrics: async () => (await import("../commands/recall/metrics.js")).metricsCommand,
  search: async () => (await import("../commands/history/search.js")).searchTasksCommand,
  continuity: {
    summary: "show or update the file that says what is being worked on",
    get commands() {
      return {
        show: async () => (await import("../commands/continuity/show.js")).showContinuityCommand,
        update: async () => (await import("../commands/continuity/update.js")).updateContinuityCommand,
      };
    },
  },
  ledger: {
    summary: "show or record where each agent stopped",
    get commands() {
      return {
        show: async () => (await import("../commands/ledger/show.js")).showLedgerCommand,
        list: async () => (await import("../commands/ledger/list.js")).listLedgersCommand,
        checkpoint: async () => (await import("../commands/ledger/checkpoint.js")).checkpointCommand,
      };
    },
  },
  handoff: {
    summary: "hand work over from one agent to another",
    get commands() {
      return {
        create: async () => (await import("../commands/handoff/create.js")).createHandoffCommand,
        list: async () => (await import("../commands/handoff/list.js")).listHandoffsCommand,
        show: async () => (await import("../commands/handoff/show.js")).showHandoffCommand,
        accept: async () => (await import("../commands/handoff/accept.js")).acceptHandoffCommand,
      };
    },
  },
  export: {
    summary: "export records, also for other tools",
    get commands() {
      return {
        ...perLayout(exportedLayouts, async (name) =>
          (await import("../commands/export/export-layout.js")).exportLayoutCommand(name),
        ),
        "cross-task": async () => (await import("../commands/export/cross-task.js")).exportCrossTaskCommand,
        jsonl: async () => (await import("../commands/export/jsonl.js")).exportJsonlCommand,
      };
    },
  },
  import: {
    summary: "import records, also from other tools",
    defaultCommand: async () => (await import("../commands/import/import-found.js")).importFoundCommand,
    get commands() {
      return {
        ...perLayout(portLayouts, async (name) =>
          (await import("../commands/import/import-layout.js")).importLayoutCommand(name),
        ),
        jsonl: async () => (await import("../commands/import/jsonl.js")).importJsonlCommand,
      };
    },
  },
  store: {
    summary: "prepare a team's store, and move records",
    get commands() {
      return {
        create: async () => (await import("../commands/store/create.js")).createStoreCommand,
        migrate: async () => (await import("../commands/store/migrate.js")).migrateStoreCommand,
      };
    },
  },
  skill: {
    summary: "manage skills: proven procedures that agents can follow",
    get commands() {
      return {
        list: async () => (await import("../commands/skill/list.js")).listSkillsCommand,
        show: async () => (await import("../commands/skill/show.js")).showSkillCommand,
        match: async () => (await import("../commands/skill/match.js")).matchSkillsCommand,
        add: async () => (await import("../commands/skill/add.js")).addSkillCommand,
        draft: async () => (await import("../commands/skill/draft.js")).draftSkillCommand,
        link: async () => (await import("../commands/skill/link.js")).linkSkillsCommand,
      };
    },
  },
  index: {
    summary: "manage the search index",
    get commands() {
      return {
        embed: async () => (await import("../commands/index/embed.js")).embedCommand,
        rebuild: async () => (await import("../commands/index/rebuild.js")).rebuildCommand,
      };
    },
  },
  config: {
    summary: "show and change settings",
    get commands() {
      return {
        show: async () => (await import("../commands/config/show.js")).showConfigCommand,
        get: async () => (await import("../commands/config/get.js")).getConfigCommand,
        set: async () => (await import("../commands/config/set.js")).setConfigCommand,
        unset: async () => (await import("../commands/config/unset.js")).unsetConfigCommand,
        path: async () => (await import("../commands/config/path.js")).configPathCommand,
      };
    },
  },
  "merge-notes": async () => (await import("../commands/merge/merge-notes.js")).mergeNotesCommand,
  mcp: async () => (await import("../commands/mcp/mcp.js")).mcpCommand,
  ui: async () => (await import("../commands/ui/ui.js")).uiCommand,
  report: async () => (await import("../commands/ui/report.js")).reportCommand,
  doctor: async () => (await import("../commands/project/doctor.js")).doctorCommand,
  completion: async () => (await import("../commands/completion/completion.js")).completionCommand,
  demo: async () => (await import("../commands/run/demo.js")).demoCommand,
};
