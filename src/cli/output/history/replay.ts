import { subjectOf } from "../../../domain/tasks/action.js";
import type { IterationResult } from "../../../domain/tasks/attempt.js";
import type { ReplayStep } from "../../../episodic/history/replay-attempt.js";
import { withoutControls } from "../../../text/control-characters.js";
import { truncate } from "../terminal/display-width.js";
import { oneLine } from "../terminal/printable.js";
import type { Terminal } from "../terminal/terminal.js";

const maxOutputLines = 6;

/** What came of an iteration: the agent's last words, and its trouble or, without any step that shows it, the output. */
export function renderIteration(result: IterationResult, hasSteps: boolean, terminal: Terminal): string {
  const { iteration, success, said = "", trouble, output = "" } = result;
  const verdict = success === undefined ? "" : success ? ": passed" : ": failed";
  const lines = (text: string) => {
    const all = withoutControls(text).trim().split("\n");
    const hidden = all.length - maxOutputLines;
    return [...(hidden > 0 ? [`… ${hidden} more lines`] : []), ...all.slice(-maxOutputLines)];
  };
  return [
    `Iteration ${iteration}${verdict}${trouble === undefined ? "" : `: ${oneLine(trouble)}`}`,
    ...(said.trim() === "" ? [] : lines(said).map((line) => `   > ${line}`)),
    ...(hasSteps || output.trim() === "" ? [] : lines(output).map((line) => `   | ${line}`)),
    "",
    "",
  ]
    .map((line) => truncate(line, terminal.width))
    .join("\n");
}

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
