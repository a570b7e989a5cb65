import type { TaskMemoryReflection } from "../../domain/tasks/task-memory.js";
import { listFiles } from "../../episodic/tasks/task-work.js";
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
 * Similar tasks within a budget: of each what went wrong and what solved it, once. The first is shown with its files if nothing
 * went wrong; a later task that adds nothing is left out, one that does not fit is shown without its lines, or left out.
 */
export function renderSimilarTasks(
  tasks: readonly SimilarTask[],
  { maxTokens, ...wanted }: SimilarTaskRendering,
  shownBefore: readonly string[] = [],
): SimilarTaskEntry[] {
  const isBare = !wanted.injectReflections && !wanted.injectSummary;
  let left = maxTokens === 0 ? Number.POSITIVE_INFINITY : maxTokens;
  // A learning is a problem, and its remedy behind an arrow.
  let shown = shownBefore.flatMap((statement) => statement.split(" → ")).map(wordsIn);
  const entries: SimilarTaskEntry[] = [];
  for (const task of tasks) {
    const lessons = lessonsOf(task, wanted, shown);
    if (entries.length > 0 && !isBare && lessons.lines.length === 0) continue;
    const head = headline(task);
    const lines = lessons.lines.length > 0 || !wanted.injectSummary ? lessons.lines : filesLine(task);
    const whole = toEntry(task.task_id, [head, ...lines].join("\n"));
    const entry = [whole, toEntry(task.task_id, head)].find(({ tokens }) => tokens <= left);
    if (entry === undefined) continue;
    left -= entry.tokens;
    entries.push(entry);
    if (entry === whole) shown = lessons.shown;
  }
  return entries;
}

function toEntry(id: string, text: string): SimilarTaskEntry {
  return { id, text, tokens: countTokens(`${text}\n`) };
}

function headline({ task_id: id, description, outcome, attempts }: SimilarTask): string {
  const facts = [...(outcome && outcome !== "success" ? [outcome] : []), counted(attempts, "attempt")];
  const [line = ""] = description.trim().split("\n", 1);
  return `- [${id}] ${neutraliseLine(line, shownLength.taskDescription)} (${facts.join(", ")})`;
}

function filesLine({ files }: SimilarTask): string[] {
  return files.length === 0 ? [] : [`  Files: ${neutraliseLine(listFiles(files), shownLength.taskLine)}`];
}

type Words = ReadonlySet<string>;

function wordsIn(statement: string): Words {
  const words = errorWords(statement);
  return new Set(words.length > 0 ? words : stemsOf(statement));
}

/** What a task teaches, in a few indented lines that repeat nothing that was shown before. */
function lessonsOf(
  { failures, outcome, what_worked, reflections }: SimilarTask,
  { injectReflections, injectSummary }: Omit<SimilarTaskRendering, "maxTokens">,
  before: readonly Words[],
): { lines: string[]; shown: Words[] } {
  const shown = [...before];
  const isNew = (statement: string): boolean => {
    const words = wordsIn(statement);
    if (words.size === 0 || shown.some((other) => shareWords(words, other, weights.saidBefore))) return false;
    shown.push(words);
    return true;
  };
  const lines: string[] = [];
  if (injectSummary) {
    for (const failure of worthShowing(failures, outcome)) {
      if (lines.length >= weights.shownFailures) break;
      const line = failureLine(failure, isNew, lines.length === 0);
      if (line !== undefined) lines.push(line);
    }
    const worked = what_worked.at(-1);
    if (lines.length === 0 && worked !== undefined && isNew(worked)) lines.push(clip(worked));
  }
  if (injectReflections && lines.length === 0) {
    const lesson = bestLesson(reflections);
    if (lesson !== undefined && isNew(lesson)) lines.push(clip(lesson));
  }
  return { lines: lines.map((line) => `  ${line}`), shown };
}

type Failure = SimilarTask["failures"][number];

/** Solved failures, those that say what failed first; if the task was not solved, also those that were left. */
function worthShowing(failures: readonly Failure[], outcome: SimilarTask["outcome"]): Failure[] {
  const solved = failures.filter(({ resolution = "" }) => resolution !== "");
  const left = outcome === "success" ? [] : failures.filter(({ resolution }) => resolution === undefined);
  const unspecific = solved.filter((failure) => !isSpecific(failure));
  return [...solved.filter(isSpecific), ...left.filter(isSpecific), ...unspecific];
}

/** Whether a failure says more than that a command failed or values differ. */
function isSpecific({ message }: Failure): boolean {
  return errorWords(withoutPlace(message)).length > 0;
}

/** One line about a failure; undefined if it or its remedy was shown: two failures with one remedy are one story. */
function failureLine(
  failure: Failure,
  isNew: (statement: string) => boolean,
  isFirst: boolean,
): string | undefined {
  const { resolution } = failure;
  if (!isSpecific(failure))
    return resolution !== undefined && isNew(resolution) ? clip(resolution) : undefined;
  const message = withoutPlace(failure.message);
  if (!isNew(message)) return undefined;
  if (resolution === undefined) return `${clip(message)} (not solved)`;
  return isNew(resolution) || isFirst ? `${clip(message)} → ${clip(resolution)}` : undefined;
}

/** A failure without the test and the place where it occurred: another task has its own. */
function withoutPlace(message: string): string {
  const bare = message.replace(/ at \S+:\d+(?::\d+)?(?=: )/, "").replace(/^test "[^"]*": (?=\S)/, "");
  const [code, rest] = bare.split(/: (.*)/s, 2);
  return code !== undefined && rest?.includes(code) ? rest : bare;
}

/** The lesson of the newest reflection that was not unhelpful; a helpful one first. */
function bestLesson(reflections: readonly TaskMemoryReflection[]): string | undefined {
  const usable = reflections.filter(({ effectiveness }) => effectiveness !== "unhelpful");
  const best = usable.findLast(({ effectiveness }) => effectiveness === "helpful") ?? usable.at(-1);
  return best?.content.trim().split("\n").at(-1);
}

function clip(text: string): string {
  return neutraliseLine(briefly(text), shownLength.taskLine);
}
