import type { LedgerView } from "../../memory/working/ledgers.js";
import { oneLine } from "./terminal/printable.js";
import { renderTable } from "./terminal/table.js";
import type { Terminal } from "./terminal/terminal.js";
import { shownMoment, shownTime } from "./times.js";

export function renderLedger({ state, context, ...ledger }: LedgerView, terminal: Terminal): string {
  const git = [
    state.last_git_commit === undefined ? "no commit" : `commit ${state.last_git_commit}`,
    ...(state.uncommitted_changes ? ["uncommitted changes"] : []),
  ];
  const facts: [string, string | undefined][] = [
    ["Agent", ledger.agent_id],
    ["Checkpoint", shownMoment(ledger.last_checkpoint, terminal)],
    ["Stale", ledger.stale],
    ["Completed", String(ledger.tasks_completed)],
    ["Task", ledger.current_task],
    ["Goal", context.current_goal],
    ["Git", git.join(", ")],
    ["Files", state.files_modified.join(", ")],
    ["Tech stack", context.tech_stack.join(", ")],
    ["Patterns", context.patterns_learned.join(", ")],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value ? [`${`${name}:`.padEnd(12)}${oneLine(value)}`] : [],
  );
  return `${lines.join("\n")}\n`;
}

export function renderLedgers(ledgers: readonly LedgerView[], terminal: Terminal): string {
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
