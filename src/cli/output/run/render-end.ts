import { renderDuration } from "../../../domain/duration.js";
import type { UsageReport } from "../../../domain/tasks/run.js";
import type { LearnedLine } from "../../../loop/loop-event.js";
import { counted } from "../../../text/counted.js";
import { oneLine } from "../terminal/printable.js";
import type { EventOf } from "./run-lines.js";
import { rowsOf, type ShownLine, shownLine } from "./shown-line.js";

const maxListedFiles = 8;

/** What was done, learned and spent, and what to do next. */
export function renderEnd(event: EventOf<"run-ended">, columns: number): string {
  return endLines(event)
    .flatMap((line) =>
      Number.isFinite(columns) ? rowsOf(line, columns - 1) : [`${line.margin}${line.text}`],
    )
    .map((row) => `${row}\n`)
    .join("");
}

function endLines(event: EventOf<"run-ended">): ShownLine[] {
  const {
    end,
    cause,
    iterations,
    attempts,
    elapsed_ms: elapsed,
    usage,
    changed_files: files,
    learned,
  } = event;
  const more = files.length - maxListedFiles;
  const facts = [
    `${counted(iterations, "iteration")} in ${counted(attempts, "attempt")}${event.resumed ? " since it was resumed" : ""}`,
    renderDuration(elapsed),
    ...usageParts(usage),
  ];
  const listed = files.slice(0, maxListedFiles).map(oneLine).join(", ");
  return [
    shownLine(`${event.task_id} ${end.kind}: ${oneLine(end.evidence)}`),
    ...(cause === undefined ? [] : [shownLine(`failed first: ${oneLine(cause)}`, "plain", "  ")]),
    shownLine(facts.join(", "), "plain", "  "),
    ...(files.length === 0
      ? []
      : [shownLine(`changed: ${listed}${more > 0 ? ` and ${more} more` : ""}`, "plain", "  ")]),
    ...list(
      "learned",
      learned.filter(({ isNew }) => isNew),
    ),
    ...list(
      "confirmed",
      learned.filter(({ isNew }) => !isNew),
    ),
    ...worktreeLines(event.worktree),
    shownLine(`next: ${event.next}`, "plain", "  "),
  ];
}

function worktreeLines(worktree: EventOf<"run-ended">["worktree"]): ShownLine[] {
  if (worktree === undefined) return [];
  const { folder, branch, commit, merge, remove } = worktree;
  return [
    shownLine(`worktree: ${oneLine(folder)}, branch ${branch}`, "plain", "  "),
    ...[`commit: ${commit}`, `merge:  ${merge}`, `remove: ${remove}`].map((step) =>
      shownLine(oneLine(step), "plain", "    "),
    ),
  ];
}

export function usageParts({
  input_tokens: input,
  output_tokens: output,
  cost_usd: cost,
}: UsageReport): string[] {
  return [
    ...(input + output === 0 ? [] : [`${input + output} tokens`]),
    ...(cost === undefined ? [] : [`${cost.toFixed(2)} USD`]),
  ];
}

function list(title: string, learned: readonly LearnedLine[]): ShownLine[] {
  if (learned.length === 0) return [];
  return [
    shownLine(`${title}:`, "plain", "  "),
    ...learned.map(({ id, type, statement }) =>
      shownLine(`${id} ${type}: ${oneLine(statement)}`, "plain", "    "),
    ),
  ];
}
