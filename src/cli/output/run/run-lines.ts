import { renderDuration } from "../../../domain/duration.js";
import type { LoopEvent, OutputSource } from "../../../loop/loop-event.js";
import { counted } from "../../../text/counted.js";
import { oneLine } from "../terminal/printable.js";
import { printedLines, type ShownLine, shownLine, type Tone } from "./shown-line.js";

/** How much of a run is shown: only results, what is said and checked, or everything. */
export type Volume = "quiet" | "normal" | "verbose";

export type EventOf<Name extends LoopEvent["event"]> = Extract<LoopEvent, { event: Name }>;

export const stoppingText = "Stopping: waiting for the agent or the check to end; press again to kill it";

/** The lines that tell an event. The end of a run is told by `renderEnd`. */
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
