import { completionInstruction } from "../agents/completion-promise.js";
import type { Settings } from "../config/default-settings.js";
import type { RunOptions } from "../domain/tasks/run.js";
import type { Task } from "../domain/tasks/task.js";
import { fenceAsData, neutraliseContent, withoutFenceTags } from "../text/fence/fence.js";
import { withoutTerminalCodes } from "../text/output-lines.js";
import { redact } from "../text/secrets/redact.js";

export interface PromptParts {
  task: Pick<Task, "description" | "completion_criteria" | "constraints">;
  options: Pick<RunOptions, "verify" | "attempts" | "promise">;
  attempt: number;
  iteration: number;
  lastIteration: number;
  /** Already fenced. */
  brief: string;
  /** Handoffs of other agents, as prompt text. */
  handoffs: readonly string[];
  /** Feedback on the previous iteration. */
  feedback: string | undefined;
  skill: string;
}

const maxFeedbackLength = 8000;

/** The agent's prompt for one iteration; its context starts empty. */
export function buildPrompt(parts: PromptParts): string {
  const { task, options, brief, handoffs, feedback, skill } = parts;
  const section = (title: string, text: string | undefined) =>
    text === undefined || text.trim() === "" ? [] : [`## ${title}\n\n${withoutFenceTags(text).trim()}`];
  return `${[
    `# Task\n\n${withoutFenceTags(task.description).trim()}`,
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
    `This is iteration ${iteration} of at most ${lastIteration}${which}. Each iteration starts with a fresh context: what ` +
    "earlier ones did is in the files, in Git and below. Look before you change anything, and work in small steps that you check."
  );
}

function verification({ verify }: PromptParts["options"]): string {
  if (verify.length === 0) return "";
  const commands = verify.map((command) => `    ${redact(command).text}`).join("\n");
  return `After you stop, these commands are run; the task is complete only if all of them succeed:\n\n${commands}\n\nRun them yourself before you stop.`;
}

function renderFeedback(text: string): string {
  const feedback = redact(withoutTerminalCodes(text)).text;
  const clipped =
    feedback.length > maxFeedbackLength
      ? `${feedback.slice(0, maxFeedbackLength / 2)}\n[…]\n${feedback.slice(-maxFeedbackLength / 2)}`
      : feedback;
  return fenceAsData("Feedback on the previous iteration.", neutraliseContent(clipped));
}

function ending({ promise }: PromptParts["options"]): string {
  return [
    completionInstruction(promise),
    "",
    "If you learned something that will help with similar tasks, put it before that on a line that starts with `Learned:`,",
    "in one sentence that can be understood without this conversation.",
  ].join("\n");
}

const storing = `### Storing new memories

When you learn something that the next session should know, store it:

    ralph-memory memory add "<what you learned>" --type pattern|decision|fix|context --tags <tag>,<tag>

- pattern: how this codebase does things · decision: why something was chosen
- fix: what solved a problem that may come back · context: anything else about this project

For example:

    ralph-memory memory add "API routes use kebab-case, handlers use camelCase" --type pattern --tags api,naming
    ralph-memory memory add "CORS errors mean that the nginx config needs an update" --type fix --tags nginx,cors

Be specific, say why, reuse existing tags, and store one idea per memory.`;

const searching = `### Searching

    ralph-memory memory search "authentication"
    ralph-memory memory search --type fix --tags docker "connection refused"
    ralph-memory recall "what you are about to do"`;

/** Teaches the agent to use the memory; empty if disabled in the settings. */
export function memorySkill(settings: Settings): string {
  const { "memories.inject": inject } = settings;
  if (!settings["memories.enabled"] || !settings["memories.skill_injection"] || inject === "none") return "";
  const reading =
    inject === "auto"
      ? "What is relevant to this task is included above, as background data. Search for more when you need it."
      : "None of it is included here: search it before you start, and whenever you hit a problem that may have come up before.";
  return `## Using project memories\n\nThis project has a memory that lasts across sessions. ${reading}\n\n${searching}\n\n${storing}`;
}
