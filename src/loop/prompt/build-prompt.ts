import { completionInstruction } from "../../agents/completion.js";
import type { RunOptions } from "../../domain/tasks/run.js";
import type { Task } from "../../domain/tasks/task.js";
import { fenceAsData, neutraliseContent } from "../../text/fence/fence.js";
import { withoutTerminalCodes } from "../../text/output-lines.js";
import { redact } from "../../text/secrets/redact.js";

export interface PromptParts {
  task: Pick<Task, "description" | "completion_criteria" | "constraints">;
  options: Pick<RunOptions, "verify" | "attempts" | "promise">;
  attempt: number;
  iteration: number;
  lastIteration: number;
  /** Fenced already. */
  brief: string;
  /** What other agents passed on, as it is introduced. */
  handoffs: readonly string[];
  /** What was said about the iteration before. */
  feedback: string | undefined;
  skill: string;
}

const feedbackLength = 8000;

/** What the agent is told in one iteration, from which it begins with a fresh mind. */
export function buildPrompt(parts: PromptParts): string {
  const { task, options, brief, handoffs, feedback, skill } = parts;
  const section = (title: string, text: string | undefined) =>
    text === undefined || text.trim() === "" ? [] : [`## ${title}\n\n${text.trim()}`];
  return `${[
    `# Task\n\n${task.description.trim()}`,
    ...section("Completion criteria", task.completion_criteria),
    ...section("Constraints", task.constraints.map((constraint) => `- ${constraint}`).join("\n")),
    ...section("Where you are", position(parts)),
    ...section("How it is checked", verification(options)),
    ...handoffs.map((handoff) => handoff.trim()),
    ...(feedback === undefined ? [] : [renderFeedback(feedback)]),
    ...(brief === "" ? [] : [brief.trim()]),
    ...(skill === "" ? [] : [skill]),
    ...section("When you are done", ending(options)),
  ].join("\n\n")}\n`;
}

function position({ options: { attempts }, attempt, iteration, lastIteration }: PromptParts): string {
  const which = attempts > 1 ? ` of attempt ${attempt} (of at most ${attempts})` : "";
  return (
    `This is iteration ${iteration} of at most ${lastIteration}${which}. Each begins with a fresh context: what earlier ones ` +
    "did is in the files, in git, and in what follows. Look before you change anything, and work in small steps that you check."
  );
}

function verification({ verify }: PromptParts["options"]): string {
  if (verify.length === 0) return "";
  const commands = verify.map((command) => `    ${redact(command).text}`).join("\n");
  return `After you stop, these commands are run, and the task is complete only when all of them succeed:\n\n${commands}\n\nRun them yourself before you stop.`;
}

function renderFeedback(said: string): string {
  const feedback = redact(withoutTerminalCodes(said)).text;
  const clipped =
    feedback.length > feedbackLength
      ? `${feedback.slice(0, feedbackLength / 2)}\n[…]\n${feedback.slice(-feedbackLength / 2)}`
      : feedback;
  return fenceAsData("What was said about the iteration before this one.", neutraliseContent(clipped));
}

function ending({ promise }: PromptParts["options"]): string {
  return [
    completionInstruction(promise),
    "",
    "If you found out something that will help with such tasks, say it before that on a line that begins with `Learned:`,",
    "in one sentence that can be understood without this conversation.",
  ].join("\n");
}
