import type { TaskMemoryReflection } from "../../domain/tasks/task-memory.js";
import { counted } from "../../text/counted.js";
import { neutraliseLine } from "../../text/fence/fence.js";
import { countTokens } from "../../text/tokens/count-tokens.js";
import { unique } from "../../text/unique.js";
import { shownLength, similarTasks as weights } from "../weights.js";
import type { SimilarTask } from "./similar-task.js";

/** What of similar tasks is told. */
export interface SimilarTaskRendering {
  /** 0 is unlimited. */
  maxTokens: number;
  injectReflections: boolean;
  injectSummary: boolean;
}

/** One task in the lines of a section: neutralised, to be fenced by whoever puts it into a prompt. */
export interface SimilarTaskEntry {
  id: string;
  text: string;
  tokens: number;
}

/** Similar tasks as entries that fit a budget, whole; one that does not fit is told without its reflections, or left out. */
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

/** The newest that were not found unhelpful, helpful ones first. */
function reflectionLines(reflections: readonly TaskMemoryReflection[]): string[] {
  const told = reflections.filter(({ effectiveness }) => effectiveness !== "unhelpful").toReversed();
  const isHelpful = ({ effectiveness }: TaskMemoryReflection) => Number(effectiveness === "helpful");
  const lines = told
    .toSorted((one, other) => isHelpful(other) - isHelpful(one))
    .map(
      ({ type, content }) =>
        `  - Reflection (${type}): ${neutraliseLine(content, shownLength.taskReflection)}`,
    );
  return unique(lines).slice(0, weights.shownReflections);
}
