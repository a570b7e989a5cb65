import { renderDuration } from "../../../domain/duration.js";
import type { UsageReport } from "../../../domain/tasks/run.js";
import type { LearnedLine, LoopEvent, OutputSource } from "../../../loop/loop-event.js";
import { withoutControls } from "../../../text/control-characters.js";
import { counted } from "../../../text/counted.js";
import { oneLine } from "../terminal/style.js";
import { wrapLine } from "../terminal/wrap.js";

export type Tone = "plain" | "good" | "bad" | "warning" | "faint" | "strong";

export interface ShownLine {
  margin: string;
  text: string;
  tone: Tone;
}

export function shownLine(text: string, tone: Tone = "plain", margin = ""): ShownLine {
  return { margin, text, tone };
}

/** Lines that a program printed, as they look on a screen: text after a carriage return replaces what was before it. */
function printedLines(text: string, tone: Tone, margin: string): ShownLine[] {
  return text.split("\n").map((line) => {
    const last = line.replace(/\r+$/, "").split("\r").at(-1) ?? "";
    return shownLine(withoutControls(last.replaceAll("\t", "    ")).trimEnd(), tone, margin);
  });
}

/** The rows that a line takes on a screen of so many columns. */
export function rowsOf({ margin, text }: ShownLine, columns: number): string[] {
  return wrapLine(`${margin}${text}`.trimEnd(), columns);
}

/** How much of a run is shown: only results, what is said and checked, or everything. */
export type Volume = "quiet" | "normal" | "verbose";

type EventOf<Name extends LoopEvent["event"]> = Extract<LoopEvent, { event: Name }>;

export const stoppingText = "Stopping: waiting for the agent or the check to end; press again to kill it";

/** The lines that describe an event; `renderEnd` describes the end of a run. */
export function linesOf(event: LoopEvent, volume: Volume): ShownLine[] {
  switch (event.event) {
    case "iteration-ended":
      return [endedIteration(event)];
    case "problem":
      return [shownLine(`Warning: ${oneLine(event.message)}`, "warning", "  ")];
    default:
      return volume === "quiet"
        ? []
        : [...commonLines(event), ...(volume === "verbose" ? detailLines(event) : [])];
  }
}

function commonLines(event: LoopEvent): ShownLine[] {
  switch (event.event) {
    case "run-started":
      return [shownLine(startedRun(event), "strong")];
    case "worktree":
      return [shownLine(madeWorktree(event), "plain", "  ")];
    case "attempt-started":
      return [shownLine(startedAttempt(event), "strong")];
    case "iteration-started":
      return [shownLine(startedIteration(event), "plain", "  ")];
    case "output":
      return event.from === "agent-errors" ? [] : outputLines(event.from, event.text);
    case "verification-started":
      return [shownLine(`$ ${oneLine(event.command)}`, "plain", "  ")];
    case "verification": {
      const [command, took] = [oneLine(event.command), renderDuration(event.elapsed_ms)];
      if (event.stopped) return [shownLine(`→ ${command} (stopped after ${took})`, "plain", "  ")];
      return [
        shownLine(`${event.passed ? "✓" : "✗"} ${command} (${took})`, event.passed ? "good" : "bad", "  "),
      ];
    }
    case "attempt-ended": {
      const { attempt, end, reflection } = event;
      const told = reflection && oneLine(reflection.learning || reflection.observation);
      return [
        shownLine(`Attempt ${attempt} ended: ${end.kind}`, "strong"),
        ...(told ? [shownLine(`Reflection: ${told}`, "plain", "  ")] : []),
      ];
    }
    case "waiting":
      return [shownLine(`waiting ${renderDuration(event.for_ms)}: ${oneLine(event.reason)}`, "faint", "  ")];
    default:
      return [];
  }
}

function detailLines(event: LoopEvent): ShownLine[] {
  if (event.event === "output" && event.from === "agent-errors") return outputLines(event.from, event.text);
  if (event.event !== "action") return [];
  const { tool, subject, success, error } = event;
  const text = `${success ? "✓" : "✗"} ${oneLine(`${tool} ${subject}`.trim())}`;
  return [
    shownLine(text, "faint", "    "),
    ...(error === undefined ? [] : printedLines(error, "faint", margins["agent-errors"])),
  ];
}

const margins: Record<OutputSource, string> = { agent: "    ", "agent-errors": "    ! ", check: "    │ " };
const tones: Record<OutputSource, Tone> = { agent: "plain", "agent-errors": "faint", check: "faint" };

function outputLines(from: OutputSource, text: string): ShownLine[] {
  return printedLines(text, tones[from], margins[from]);
}

function startedRun(event: EventOf<"run-started">): string {
  const { task_id: task, agent, verify, max_iterations: maxIterations, resumed } = event;
  const until =
    verify.length === 0
      ? "until the agent says it is done"
      : `until ${verify.map(oneLine).join(", ")} passes`;
  return `${task}: ${resumed ? "resuming" : "running"} with ${agent}, ${until}, at most ${counted(maxIterations, "iteration")}`;
}

function madeWorktree({ folder, branch, commit, uncommitted }: EventOf<"worktree">): string {
  const left = uncommitted === 0 ? "" : `; ${counted(uncommitted, "uncommitted change")} here not in it`;
  return `in the new worktree ${oneLine(folder)}, branch ${branch}, from ${commit}${left}`;
}

function startedAttempt({ attempt, reflections }: EventOf<"attempt-started">): string {
  const known = reflections > 0 ? `, with ${counted(reflections, "reflection")} on earlier attempts` : "";
  return `Attempt ${attempt}${known}`;
}

function startedIteration(event: EventOf<"iteration-started">): string {
  const { iteration, brief_tokens: tokens, shown, holdout } = event;
  const control = holdout ? ", control task" : "";
  return `iteration ${iteration}: brief of ${tokens} tokens, ${counted(shown.length, "record")}${control}`;
}

function endedIteration(event: EventOf<"iteration-ended">): ShownLine {
  const { verdict, iteration, quality, reason, cause, changed_files: files } = event;
  const [mark, tone] = verdictMarks[verdict];
  const facts = [
    counted(event.actions, "action"),
    ...(files === undefined ? [] : [counted(files.length, "changed file")]),
    ...(quality === undefined ? [] : [`quality ${quality.toFixed(2)}`]),
  ].join(", ");
  const why = [reason, ...(cause === undefined ? [] : [cause])].map(oneLine).join(": ");
  const took = renderDuration(event.elapsed_ms);
  return shownLine(`${mark} iteration ${iteration} ${verdict} after ${took} (${facts}): ${why}`, tone);
}

const verdictMarks: Record<EventOf<"iteration-ended">["verdict"], [mark: string, tone: Tone]> = {
  completed: ["✓", "good"],
  failed: ["✗", "bad"],
  "goes on": ["→", "plain"],
  stopped: ["→", "plain"],
};

const maxListedFiles = 8;

/** What was done, learned and spent, and what to do next. */
export function renderEnd(event: EventOf<"run-ended">, columns: number): string {
  return endLines(event)
    .flatMap((line) => rowsOf(line, columns - 1))
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
    ...list("learned", learned, true),
    ...list("confirmed", learned, false),
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

function usageParts({ input_tokens: input, output_tokens: output, cost_usd: cost }: UsageReport): string[] {
  return [
    ...(input + output === 0 ? [] : [`${input + output} tokens`]),
    ...(cost === undefined ? [] : [`${cost.toFixed(2)} USD`]),
  ];
}

function list(title: string, learned: readonly LearnedLine[], areNew: boolean): ShownLine[] {
  const lines = learned
    .filter(({ isNew }) => isNew === areNew)
    .map(({ id, type, statement }) => shownLine(`${id} ${type}: ${oneLine(statement)}`, "plain", "    "));
  return lines.length === 0 ? [] : [shownLine(`${title}:`, "plain", "  "), ...lines];
}
