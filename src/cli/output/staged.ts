import type { StagedLearning } from "../../domain/knowledge/learning.js";
import { adviceOf, remedyOf, statementOf } from "../../domain/knowledge/statement.js";
import { contentFacts, figuresOf, remedyColumn, renderFacts, supportOf } from "./learnings.js";
import { oneLine } from "./terminal/printable.js";
import { renderTable } from "./terminal/table.js";
import type { Terminal } from "./terminal/terminal.js";

export function renderStagedTable(staged: readonly StagedLearning[], terminal: Terminal): string {
  const rows = staged.map(({ id, status, learning, rejectionReason, reason }) => [
    id,
    status,
    learning.type,
    learning.taskType,
    learning.confidence.toFixed(2),
    learning.sourceLoops.join(", "),
    [
      ...(reason ? [`(${reason})`] : []),
      statementOf(learning),
      ...supportOf(learning),
      ...(rejectionReason ? [`(rejected: ${rejectionReason})`] : []),
    ].join(" "),
    remedyOf(learning),
  ]);
  return renderTable(
    [
      "ID",
      { title: "STATUS", drop: 5 },
      { title: "TYPE" },
      { title: "TASK", drop: 3 },
      { title: "CONF", drop: 2 },
      { title: "FROM", drop: 1 },
      "STATEMENT",
      remedyColumn,
    ],
    rows,
    terminal,
  );
}

/** A staged learning with its evidence, for review. */
export function renderStaged({ id, learning, reason = "" }: StagedLearning): string {
  const facts = [
    ["ID", id],
    ["Type", `${learning.type}, ${learning.taskType}`],
    ["Careful", reason],
    ...figuresOf(learning),
    ...contentFacts(learning),
    ["Sources", learning.sourceLoops.join(", ")],
    ["Attempts", (learning.source_episodes ?? []).join(", ")],
    ["Files", (learning.files ?? []).join(" ")],
  ];
  return `${oneLine(adviceOf(learning))}\n\n${renderFacts(facts)}`;
}
