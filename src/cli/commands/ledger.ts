import { RalphError } from "../../domain/ralph-error.js";
import type { LedgerView } from "../../memory/working/ledgers.js";
import { defineCommand } from "../framework/command.js";
import { allOption, limitOption, list, sinceOf, sinceOption, text } from "../framework/options.js";
import { printList } from "../framework/print.js";
import { renderFacts } from "../output/learnings.js";
import { renderTable } from "../output/terminal/table.js";
import type { Terminal } from "../output/terminal/terminal.js";
import { shownMoment, shownTime } from "../output/times.js";

const show = defineCommand({
  summary: "show where an agent stopped",
  description: "A ledger is marked stale when its task has ended or its commit no longer exists.",
  arguments: [{ name: "agent", summary: "agent name [default: the newest ledger]", isOptional: true }],
  examples: ["ralph ledger show eng-001-backend", "ralph ledger show --json"],
  async run({ arguments: [agent], terminal, print, openMemory }) {
    const { working } = await openMemory();
    const ledger = agent === undefined ? (await working.listLedgers())[0] : await working.getLedger(agent);
    if (ledger === undefined)
      throw new RalphError("not-found", "No ledgers yet", {
        hint: 'create one with "ralph ledger checkpoint <agent>"',
      });
    print({ json: ledger, table: () => renderLedger(ledger, terminal) });
  },
});

const listLedgers = defineCommand({
  summary: "list ledgers, newest first",
  options: { since: sinceOption("only checkpoints made since then"), limit: limitOption(), all: allOption },
  isLong: true,
  examples: ["ralph ledger list", "ralph ledger list --since 24h"],
  async run(invocation) {
    const { options, terminal, openMemory } = invocation;
    const since = sinceOf(options) ?? "";
    const ledgers = await (await openMemory()).working.listLedgers();
    await printList(invocation, {
      find: ledgers.filter(({ last_checkpoint: at }) => at >= since),
      table: (items) => ledgerTable(items, terminal),
      empty: "No ledgers to show",
    });
  },
});

const checkpoint = defineCommand({
  summary: "record an agent's current state",
  description:
    "Task, files and commit default to those of the current attempt and of Git. Goal and tech stack are kept until you\n" +
    "change them; patterns are added to the existing ones.",
  arguments: [{ name: "agent", summary: "agent name, such as eng-001-backend" }],
  options: {
    task: text("ID", "the task it works on"),
    goal: text("TEXT", "the current goal"),
    tech: list("WORDS", "tech stack, comma-separated"),
    pattern: list("IDS", "ids of records it learned from, comma-separated"),
    file: list("FILES", "files it changed, comma-separated"),
  },
  examples: [
    "ralph ledger checkpoint eng-001-backend",
    'ralph ledger checkpoint eng-001-backend --goal "Implement CRUD for todos" --tech express,typescript --json',
  ],
  async run({ arguments: [agent = ""], options, print, openMemory }) {
    const ledger = await (await openMemory()).working.checkpoint(agent, {
      taskId: options.task,
      goal: options.goal,
      techStack: options.tech,
      patterns: options.pattern,
      files: options.file,
    });
    const task = ledger.current_task ?? "no task";
    print({ json: ledger, table: `Checkpoint saved for ${ledger.agent_id}: ${task}\n` });
  },
});

function renderLedger({ state, context, ...ledger }: LedgerView, terminal: Terminal): string {
  const commit = state.last_git_commit === undefined ? "no commit" : `commit ${state.last_git_commit}`;
  return renderFacts([
    ["Agent", ledger.agent_id],
    ["Checkpoint", shownMoment(ledger.last_checkpoint, terminal)],
    ["Stale", ledger.stale ?? ""],
    ["Completed", String(ledger.tasks_completed)],
    ["Task", ledger.current_task ?? ""],
    ["Goal", context.current_goal ?? ""],
    ["Git", `${commit}${state.uncommitted_changes ? ", uncommitted changes" : ""}`],
    ["Files", state.files_modified.join(", ")],
    ["Tech stack", context.tech_stack.join(", ")],
    ["Patterns", context.patterns_learned.join(", ")],
  ]);
}

function ledgerTable(ledgers: readonly LedgerView[], terminal: Terminal): string {
  const rows = ledgers.map((ledger) => [
    ledger.agent_id,
    shownTime(ledger.last_checkpoint, terminal),
    ledger.current_task ?? "",
    String(ledger.tasks_completed),
    ledger.stale === undefined ? (ledger.context.current_goal ?? "") : `stale: ${ledger.stale}`,
  ]);
  return renderTable(
    ["AGENT", { title: "CHECKPOINT", drop: 2 }, { title: "TASK" }, { title: "DONE", drop: 1 }, "GOAL"],
    rows,
    terminal,
  );
}

export const ledgerCommands = { show, list: listLedgers, checkpoint };
