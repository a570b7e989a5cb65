import { renderDuration } from "../../../domain/duration.js";
import type { UsageReport } from "../../../domain/tasks/run.js";
import type { LoopEvent } from "../../../loop/loop-event.js";
import { displayWidth, truncate } from "../terminal/display-width.js";
import { oneLine } from "../terminal/style.js";

/** What a run is doing now, as the rows at the bottom of a terminal. */
interface RunStatus {
  note(event: LoopEvent, nowMs: number): void;
  stopping(nowMs: number): void;
  /** Empty before the first attempt and after the end. */
  rows(nowMs: number, columns: number): string[];
}

interface Activity {
  text: string;
  sinceMs: number;
}

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const spinMs = 200;
const agentStarts = "the agent starts";

export function openRunStatus(startedMs: number): RunStatus {
  let limits = { attempts: 1, max_iterations: 0 };
  let attempt = 0;
  let iteration = 0;
  let usage: UsageReport = { input_tokens: 0, output_tokens: 0 };
  let activity: Activity | undefined;
  let isStopping = false;

  const now = (text: string, nowMs: number) => {
    activity = { text: oneLine(text), sinceMs: nowMs };
  };

  function note(event: LoopEvent, nowMs: number): void {
    switch (event.event) {
      case "run-started":
        limits = event;
        return;
      case "attempt-started":
        attempt = event.attempt;
        iteration = 0;
        now("recalling what is known", nowMs);
        return;
      case "iteration-started":
        iteration = event.iteration;
        now(agentStarts, nowMs);
        return;
      case "output":
        // An agent that reports no tools shows by its output that it works.
        if (event.from !== "check" && activity?.text === agentStarts) now("the agent is at work", nowMs);
        return;
      case "tool-started":
        now(`${event.tool} ${event.subject}`.trim(), nowMs);
        return;
      case "usage":
        usage = event;
        return;
      case "verification-started":
        now(`checking: ${event.command}`, nowMs);
        return;
      case "iteration-ended":
        now("recording what happened", nowMs);
        return;
      case "waiting":
        now(`waiting ${renderDuration(event.for_ms)} before the next try`, nowMs);
        return;
      case "run-ended":
        attempt = 0;
    }
  }

  function rows(nowMs: number, columns: number): string[] {
    if (attempt === 0) return [];
    const spin = spinner[Math.floor(nowMs / spinMs) % spinner.length];
    const head = factsThatFit(factsOf(nowMs), columns - 2);
    const doing = isStopping ? `stopping: ${activity?.text ?? ""}` : activity?.text;
    const forMs = activity === undefined ? 0 : nowMs - activity.sinceMs;
    const took = forMs < 1000 ? "" : ` · ${renderDuration(forMs)}`;
    const room = columns - 2 - took.length;
    return [
      truncate(`${spin} ${head}`, columns),
      ...(doing === undefined || room < leastRoom ? [] : [`  ${truncate(doing, room)}${took}`]),
    ];
  }

  function factsOf(nowMs: number): string[] {
    const { input_tokens: input, output_tokens: output, cost_usd: cost } = usage;
    const of = (most: number) => (most > 1 ? ` of ${most}` : "");
    return [
      `attempt ${attempt}${of(limits.attempts)}`,
      ...(iteration === 0 ? [] : [`iteration ${iteration}${of(limits.max_iterations)}`]),
      renderDuration(nowMs - startedMs),
      ...(input + output === 0 ? [] : [`${shortCount(input + output)} tokens`]),
      ...(cost === undefined ? [] : [`${cost.toFixed(2)} USD`]),
    ];
  }

  return {
    note,
    stopping(nowMs) {
      isStopping = true;
      activity ??= { text: "", sinceMs: nowMs };
    },
    rows,
  };
}

const leastRoom = 10;

/** As many facts as there is room for. Where attempt and iteration have none beside each other, the iteration matters more. */
function factsThatFit(facts: readonly string[], columns: number): string {
  const fits = (some: readonly string[]) => displayWidth(some.join(" · ")) <= columns;
  const shown = fits(facts.slice(0, 2)) ? facts : facts.slice(1);
  let count = shown.length;
  while (count > 1 && !fits(shown.slice(0, count))) count -= 1;
  return shown.slice(0, count).join(" · ");
}

/** `950`, `12.3k`, `1.2M`. */
function shortCount(count: number): string {
  if (count < 10_000) return String(count);
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
