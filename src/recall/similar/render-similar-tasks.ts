import type { TaskMemoryReflection } from "../../domain/tasks/task-memory.js";
import { counted } from "../../text/counted.js";
import { neutraliseLine } from "../../text/fence/fence.js";
import { countTokens } from "../../text/tokens/count-tokens.js";
import { unique } from "../../text/unique.js";
import { shownLength, similarTasks as weights } from "../weights.js";
import type { SimilarTask } from "./similar-task.js";

/** Which parts of similar tasks are shown. */
export interface SimilarTaskRendering {
  /** 0 is unlimited. */
  maxTokens: number;
  injectReflections: boolean;
  injectSummary: boolean;
}

/** The lines of one task: neutralised, but not fenced yet. */
export interface SimilarTaskEntry {
  id: string;
  text: string;
  tokens: number;
}

/** Similar tasks within a budget; a task that does not fit is shown without its reflections, or left out. */
export function renderSimilarTasks(
  tasks: readonly SimilarTask[],
  { maxTokens, injectReflections, injectSummary }: SimilarTaskRendering,
): SimilarTaskEntry[] {
  let left = maxTokens === 0 ? Number.POSITIVE_INFINITY : maxTokens;
  const entries: SimilarTaskEntry[] = [];
  for (const task of tasks) {
    const head = [headline(task), ...(injectSummary ? summaryLine(task) : [])];
    const reflections = injectReflections ? task.reflections : [];
    const entry = [[...head, ...reflectionLines(reflections)], head]
      .map((lines) => toEntry(task.task_id, lines.join("\n")))
      .find(({ tokens }) => tokens <= left);
    if (entry === undefined) continue;
    left -= entry.tokens;
    entries.push(entry);
  }
  return entries;
}

function toEntry(id: string, text: string): SimilarTaskEntry {
  return { id, text, tokens: countTokens(`${text}\n`) };
}

function headline({
  task_id: id,
  description,
  similarity,
  outcome,
  iterations,
  age_days,
}: SimilarTask): string {
  const facts = [
    `similarity ${similarity.toFixed(2)}`,
    ...(outcome ? [outcome] : []),
    ...(iterations > 0 ? [counted(iterations, "iteration")] : []),
    age_days < 1 ? "today" : `${counted(Math.floor(age_days), "day")} ago`,
  ];
  return `- [${id}] ${neutraliseLine(description, shownLength.taskDescription)} (${facts.join(", ")})`;
}

function summaryLine({ summary }: SimilarTask): string[] {
  return summary === "" ? [] : [`  - Summary: ${neutraliseLine(summary, shownLength.taskSummary)}`];
}

/** The newest reflections, helpful ones first, without unhelpful ones. */
function reflectionLines(reflections: readonly TaskMemoryReflection[]): string[] {
  const shown = reflections.filter(({ effectiveness }) => effectiveness !== "unhelpful").toReversed();
  const isHelpful = ({ effectiveness }: TaskMemoryReflection) => Number(effectiveness === "helpful");
  const lines = shown
    .toSorted((one, other) => isHelpful(other) - isHelpful(one))
    .map(
      ({ type, content }) =>
        `  - Reflection (${type}): ${neutraliseLine(content, shownLength.taskReflection)}`,
    );
  return unique(lines).slice(0, weights.shownReflections);
}
