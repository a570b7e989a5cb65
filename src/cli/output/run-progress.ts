import { renderDuration } from "../../domain/duration.js";
import type { UsageReport } from "../../domain/tasks/run.js";
import type { LearnedLine, LoopEvent } from "../../loop/loop-event.js";
import { counted } from "../../text/counted.js";
import { truncate } from "./terminal/display-width.js";
import { oneLine } from "./terminal/printable.js";
import type { Terminal } from "./terminal/terminal.js";

/** Shows the progress of a run: a live status line on a terminal, a verdict for each iteration, a summary at the end. */
export interface RunProgress {
  show(event: LoopEvent): void;
  print(text: string): void;
  close(): void;
}

type EventOf<Name extends LoopEvent["event"]> = Extract<LoopEvent, { event: Name }>;

const refreshMs = 250;
const maxListedFiles = 8;

export function openRunProgress(terminal: Terminal, width: number): RunProgress {
  const isLive = terminal.isTalkWatched;
  let iteration: (EventOf<"iteration-started"> & { startedMs: number }) | undefined;
  let actions = 0;
  let current = "";
  let usage: UsageReport = { input_tokens: 0, output_tokens: 0 };
  let isLineShown = false;

  const clear = () => {
    if (isLineShown) terminal.talk("\r\u001b[K");
    isLineShown = false;
  };
  const print = (text: string) => {
    clear();
    terminal.talk(`${text}\n`);
  };
  const draw = () => {
    if (iteration === undefined) return;
    const share = iteration.prompt_tokens === 0 ? 0 : iteration.brief_tokens / iteration.prompt_tokens;
    const parts = [
      `iteration ${iteration.iteration}`,
      renderDuration(Date.now() - iteration.startedMs),
      counted(actions, "action"),
      ...(current === "" ? [] : [current]),
      ...usageParts(usage),
      `brief ${iteration.brief_tokens} tokens (${Math.round(share * 100)} % of the prompt)`,
    ];
    terminal.talk(`\r\u001b[K${truncate(oneLine(parts.join(" · ")), width - 1)}`);
    isLineShown = true;
  };
  const timer = isLive ? setInterval(draw, refreshMs) : undefined;
  timer?.unref();

  const show = (event: LoopEvent) => {
    switch (event.event) {
      case "run-started":
        print(startedLine(event));
        return;
      case "attempt-started":
        print(
          `Attempt ${event.attempt}${event.reflections > 0 ? `, with ${counted(event.reflections, "reflection")} on earlier attempts` : ""}`,
        );
        return;
      case "iteration-started":
        iteration = { ...event, startedMs: Date.now() };
        actions = 0;
        current = "";
        if (isLive) draw();
        else print(startedIteration(event));
        return;
      case "tool-started":
        current = `${event.tool} ${event.subject}`.trim().slice(0, 60);
        return;
      case "action":
        actions = event.actions;
        return;
      case "usage":
        usage = event;
        return;
      case "verification":
        print(
          `  ${event.passed ? "✓" : "✗"} ${oneLine(event.command)} (${renderDuration(event.elapsed_ms)})`,
        );
        return;
      case "iteration-ended":
        iteration = undefined;
        print(endedIteration(event));
        return;
      case "attempt-ended":
        print(`Attempt ${event.attempt} ended: ${event.end.kind}`);
        if (event.reflection !== undefined)
          print(`  Reflection: ${oneLine(event.reflection.learning || event.reflection.observation)}`);
        return;
      case "waiting":
        print(`  waiting ${renderDuration(event.for_ms)}: ${oneLine(event.reason)}`);
        return;
      case "problem":
        print(`  Warning: ${oneLine(event.message)}`);
        return;
      case "run-ended":
        clear();
        terminal.out(renderEnd(event));
    }
  };

  return {
    show,
    print,
    close() {
      clearInterval(timer);
      clear();
    },
  };
}

function startedLine({
  task_id: task,
  agent,
  verify,
  max_iterations: maxIterations,
  resumed,
}: EventOf<"run-started">): string {
  const until =
    verify.length === 0
      ? "until the agent says it is done"
      : `until ${verify.map(oneLine).join(", ")} passes`;
  return `${task}: ${resumed ? "resuming" : "running"} with ${agent}, ${until}, at most ${counted(maxIterations, "iteration")}`;
}

function startedIteration({
  iteration,
  brief_tokens: tokens,
  shown,
  holdout,
}: EventOf<"iteration-started">): string {
  const control = holdout ? ", control task" : "";
  return `  iteration ${iteration}: brief of ${tokens} tokens, ${counted(shown.length, "record")}${control}`;
}

function endedIteration(event: EventOf<"iteration-ended">): string {
  const mark = event.verdict === "completed" ? "✓" : event.verdict === "failed" ? "✗" : "→";
  const quality = event.quality === undefined ? "" : `, quality ${event.quality.toFixed(2)}`;
  const files = counted(event.changed_files.length, "changed file");
  return `${mark} iteration ${event.iteration} ${event.verdict} after ${renderDuration(event.elapsed_ms)} (${counted(event.actions, "action")}, ${files}${quality}): ${oneLine(event.reason)}`;
}

function renderEnd(event: EventOf<"run-ended">): string {
  const { end, iterations, attempts, elapsed_ms: elapsed, usage, changed_files: files, learned } = event;
  const more = files.length - maxListedFiles;
  return [
    `${event.task_id} ${end.kind}: ${oneLine(end.evidence)}`,
    `  ${counted(iterations, "iteration")} in ${counted(attempts, "attempt")}, ${renderDuration(elapsed)}${usageParts(
      usage,
    )
      .map((part) => `, ${part}`)
      .join("")}`,
    ...(files.length === 0
      ? []
      : [
          `  changed: ${files.slice(0, maxListedFiles).map(oneLine).join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
        ]),
    ...list(
      "learned",
      learned.filter(({ isNew }) => isNew),
    ),
    ...list(
      "confirmed",
      learned.filter(({ isNew }) => !isNew),
    ),
    `  next: ${event.next}`,
    "",
  ].join("\n");
}

function usageParts({ input_tokens: input, output_tokens: output, cost_usd: cost }: UsageReport): string[] {
  return [
    ...(input + output === 0 ? [] : [`${input + output} tokens`]),
    ...(cost === undefined ? [] : [`${cost.toFixed(2)} USD`]),
  ];
}

function list(title: string, learned: readonly LearnedLine[]): string[] {
  return learned.length === 0
    ? []
    : [
        `  ${title}:`,
        ...learned.map(({ id, type, statement }) => `    ${id} ${type}: ${oneLine(statement)}`),
      ];
}
