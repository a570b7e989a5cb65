import { subjectOf } from "../../domain/tasks/action.js";
import type { ReplayStep } from "../../episodic/history/replay-attempt.js";
import { withoutControls } from "../../text/control-characters.js";
import { truncate } from "./terminal/display-width.js";
import { oneLine } from "./terminal/printable.js";
import type { Terminal } from "./terminal/terminal.js";

const maxOutputLines = 6;

export function renderStep(step: ReplayStep, terminal: Terminal): string {
  const fit = (line: string) => truncate(line, terminal.width);
  const result = step.success ? "ok" : "FAILED";
  const head = `${step.step}. +${step.at_seconds.toFixed(1)} s  ${step.tool}  ${subjectOf(step)}  ${result} (${step.took_seconds.toFixed(1)} s)`;
  const part = (title: string, text: string | undefined) =>
    text === undefined || text.trim() === "" ? [] : [`   ${title}: ${oneLine(text)}`];
  const output = [step.error, step.output]
    .filter((text): text is string => text !== undefined && text.trim() !== "")
    .flatMap((text) => withoutControls(text).trimEnd().split("\n"));
  const hidden = output.length - maxOutputLines;
  return [
    oneLine(head),
    ...part("why", step.reasoning),
    ...part("expected", step.expected_outcome),
    ...output.slice(0, maxOutputLines).map((line) => `   | ${line}`),
    ...(hidden > 0 ? [`   | … ${hidden} more lines`] : []),
    "",
  ]
    .map(fit)
    .join("\n");
}
