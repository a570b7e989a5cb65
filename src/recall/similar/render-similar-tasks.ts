import type { TaskMemoryReflection } from "../../domain/tasks/task-memory.js";
import { listFiles } from "../../episodic/tasks/work-done.js";
import { briefly } from "../../text/briefly.js";
import { counted } from "../../text/counted.js";
import { neutraliseLine } from "../../text/fence/fence.js";
import { countTokens } from "../../text/tokens/count-tokens.js";
import { shareWords } from "../../words/share-words.js";
import { shownLength, similarTasks as weights } from "../weights.js";
import { errorWords } from "./error-words.js";
import type { SimilarTask } from "./similar-task.js";
import { stemsOf } from "./terms.js";

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

/** The words of each statement that has been told. */
export type Told = readonly ReadonlySet<string>[];

/** What a statement tells: a problem, and its remedy behind an arrow. */
function wordsTold(statement: string): Told {
  return statement.split(" → ").map(wordsIn);
}

function wordsIn(statement: string): ReadonlySet<string> {
  const words = errorWords(statement);
  return new Set(words.length > 0 ? words : stemsOf(statement));
}

interface WantedParts {
  injectReflections: boolean;
  injectSummary: boolean;
}

/** What a task teaches, in a few indented lines that repeat nothing that was told before. */
function tellTask(
  task: SimilarTask,
  { injectReflections, injectSummary }: WantedParts,
  before: Told,
): { lines: string[]; told: Told } {
  const told = [...before];
  const tell = (statement: string): boolean => {
    const words = wordsIn(statement);
    if (words.size === 0 || told.some((other) => shareWords(words, other, weights.saidBefore))) return false;
    told.push(words);
    return true;
  };
  const lines: string[] = [];
  if (injectSummary) {
    for (const failure of tellable(task)) {
      if (lines.length >= weights.shownFailures) break;
      const line = tellFailure(failure, tell, lines.length === 0);
      if (line !== undefined) lines.push(line);
    }
    const worked = task.what_worked.at(-1);
    if (lines.length === 0 && worked !== undefined && tell(worked)) lines.push(clip(worked));
  }
  if (injectReflections && lines.length === 0) {
    const thought = bestThought(task.reflections);
    if (thought !== undefined && tell(thought)) lines.push(clip(thought));
  }
  return { lines: lines.map((line) => `  ${line}`), told };
}

/** Failures that were solved, those that say what failed first; if the task was not solved, those that were left, too. */
function tellable({ failures, outcome }: SimilarTask): SimilarTask["failures"] {
  const solved = failures.filter(({ resolution = "" }) => resolution !== "");
  const left = outcome === "success" ? [] : failures.filter(({ resolution }) => resolution === undefined);
  const [telling, silent] = [true, false].map((isTold) => solved.filter((each) => saysWhat(each) === isTold));
  return [...(telling ?? []), ...left.filter(saysWhat), ...(silent ?? [])];
}

/** Whether a failure says more than that a command failed or values differ. */
function saysWhat({ message }: { message: string }): boolean {
  return errorWords(withoutPlace(message)).length > 0;
}

/** One line about a failure; undefined if it or its remedy has been told: two failures with one remedy are one story. */
function tellFailure(
  failure: SimilarTask["failures"][number],
  tell: (statement: string) => boolean,
  isFirst: boolean,
): string | undefined {
  const { resolution } = failure;
  if (!saysWhat(failure)) return resolution !== undefined && tell(resolution) ? clip(resolution) : undefined;
  const message = withoutPlace(failure.message);
  if (!tell(message)) return undefined;
  if (resolution === undefined) return `${clip(message)} (not solved)`;
  return tell(resolution) || isFirst ? `${clip(message)} → ${clip(resolution)}` : undefined;
}

/** A failure without the test and the place where it occurred: another task has its own. */
function withoutPlace(message: string): string {
  const bare = message.replace(/ at \S+:\d+(?::\d+)?(?=: )/, "").replace(/^test "[^"]*": (?=\S)/, "");
  const [code, rest] = bare.split(/: (.*)/s, 2);
  return code !== undefined && rest?.includes(code) ? rest : bare;
}

/** The lesson of the newest reflection that was not unhelpful; a helpful one first. */
function bestThought(reflections: readonly TaskMemoryReflection[]): string | undefined {
  const kept = reflections.filter(({ effectiveness }) => effectiveness !== "unhelpful");
  const best = kept.findLast(({ effectiveness }) => effectiveness === "helpful") ?? kept.at(-1);
  return best?.content.trim().split("\n").at(-1);
}

function clip(text: string): string {
  return neutraliseLine(briefly(text), shownLength.taskLine);
}
