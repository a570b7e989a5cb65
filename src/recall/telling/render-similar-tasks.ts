import { listFiles } from "../../episodic/tasks/work-done.js";
import { counted } from "../../text/counted.js";
import { neutraliseLine } from "../../text/fence/fence.js";
import { countTokens } from "../../text/tokens/count-tokens.js";
import { shownLength } from "../weights.js";
import type { SimilarTask } from "./similar-task.js";
import { type Told, tellTask, wordsTold } from "./tell-task.js";

/** Which parts of similar tasks are shown. */
export interface SimilarTaskRendering {
  /** 0 is unlimited. */
  maxTokens: number;
  /** Whether reflections are shown that say more than what went wrong and what worked. */
  injectReflections: boolean;
  /** Whether what went wrong and what worked is shown. */
  injectSummary: boolean;
}

/** The lines of one task: neutralised, but not fenced yet. */
export interface SimilarTaskEntry {
  id: string;
  text: string;
  tokens: number;
}

/**
 * Similar tasks within a budget: of each what went wrong and what solved it, once. If the first has nothing like that to tell, it is told
 * where it was done; a later task that adds nothing is left out, one that does not fit is shown without its lines, or left out.
 */
export function renderSimilarTasks(
  tasks: readonly SimilarTask[],
  { maxTokens, ...wanted }: SimilarTaskRendering,
  toldBefore: readonly string[] = [],
): SimilarTaskEntry[] {
  if (tasks.length === 0) return [];
  const isBare = !wanted.injectReflections && !wanted.injectSummary;
  let left = maxTokens === 0 ? Number.POSITIVE_INFINITY : maxTokens;
  let told: Told = toldBefore.flatMap(wordsTold);
  const entries: SimilarTaskEntry[] = [];
  for (const task of tasks) {
    const story = tellTask(task, wanted, told);
    if (entries.length > 0 && !isBare && story.lines.length === 0) continue;
    const head = headline(task);
    const lines = story.lines.length > 0 || !wanted.injectSummary ? story.lines : whereOf(task);
    const whole = toEntry(task.task_id, [head, ...lines].join("\n"));
    const entry = [whole, toEntry(task.task_id, head)].find(({ tokens }) => tokens <= left);
    if (entry === undefined) continue;
    left -= entry.tokens;
    entries.push(entry);
    if (entry === whole) told = story.told;
  }
  return entries;
}

function whereOf({ files }: SimilarTask): string[] {
  return files.length === 0 ? [] : [`  Files: ${neutraliseLine(listFiles(files), shownLength.taskLine)}`];
}

function toEntry(id: string, text: string): SimilarTaskEntry {
  return { id, text, tokens: countTokens(`${text}\n`) };
}

function headline({ task_id: id, description, outcome, attempts }: SimilarTask): string {
  const facts = [...(outcome && outcome !== "success" ? [outcome] : []), counted(attempts, "attempt")];
  const [line = ""] = description.trim().split("\n", 1);
  return `- [${id}] ${neutraliseLine(line, shownLength.taskDescription)} (${facts.join(", ")})`;
}
