import { type Action, commandOf, isByRalph } from "../../domain/tasks/action.js";
import { programsOf } from "../../domain/tasks/command-kind.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import { agentLabel, shownLabel, statusLabel, tagLabel, taskKind } from "../../search/record-kinds.js";
import type { SearchDocument } from "../../store/lexical-index.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { errorWords } from "../../words/error-codes.js";
import { stopWords } from "../../words/word-lists.js";
import { wordsOf } from "../../words/words.js";
import { kindWord, workKinds } from "../../words/work-kinds.js";

const indexedReflections = 20;

/** The indexed parts of a task's work, oldest first, and the words of its commands and reasons. */
interface IndexedWork {
  attempts: readonly StoredAttempt[];
  reflections: readonly Reflection[];
  words: string;
}

/** Indexes a task by its description, kinds of work, lessons, outcomes, errors, files, commands and reasons. */
export async function indexTask(tx: Repositories, task: StoredTask): Promise<void> {
  await tx.lexical.put(await taskDocument(tx, task));
}

/** The text that searches for a task match. */
export async function taskDocument(tx: Repositories, task: StoredTask): Promise<SearchDocument> {
  const [reflections, attempts] = await Promise.all([
    tx.reflections.listLast(task.number, indexedReflections),
    tx.attempts.list(task.number),
  ]);
  return documentOf(task, { attempts, reflections, words: await workWords(tx, attempts) });
}

/** Indexes a task whose work is already loaded. */
export async function putInIndex(tx: Repositories, task: StoredTask, work: IndexedWork): Promise<void> {
  await tx.lexical.put(documentOf(task, work));
}

function documentOf(task: StoredTask, { attempts, reflections, words: ran }: IndexedWork): SearchDocument {
  const lessons = reflections
    .slice(-indexedReflections)
    .flatMap(({ observation, analysis, learning }) => [observation, analysis, learning]);
  const outcomes = attempts.flatMap(({ outcome }) => outcome?.reason ?? []);
  const errors = attempts.flatMap(({ errors_encountered: found }) =>
    found.map(({ type, message, resolution = "" }) => `${type} ${message} ${resolution}`),
  );
  const [firstLine = "", ...details] = task.description.split("\n");
  const body = [...details, task.completion_criteria ?? "", ...lessons, ...outcomes].join("\n");
  const kinds = [...workKinds(task.description, attempts.toReversed().flatMap(filesOf)).keys()].map(kindWord);
  const words = (text: string) => wordsOf(text).join(" ");
  return {
    kind: taskKind,
    id: task.id,
    source: "",
    title: words(firstLine),
    body: [words(body), ...kinds].join(" "),
    tags: words(task.tags.join(" ")),
    files: words(attempts.flatMap(filesOf).join(" ")),
    errors: words(`${errors.join("\n")} ${errorWords([firstLine, body, ...errors].join("\n"))}`),
    kept: ran,
    labels: [
      statusLabel(task.status),
      ...task.tags.map(tagLabel),
      ...(task.agent ? [agentLabel(task.agent)] : []),
      ...(task.archived ? [] : [shownLabel]),
    ],
    time: Date.parse(task.updated),
  };
}

function filesOf({ artifacts_produced: made, files }: StoredAttempt): string[] {
  return [...made, ...files];
}

const readActions = 200;
/** How many attempts are read at once: most tasks have no more. */
const readTogether = 4;
const readLength = 500;
const mostProgramWords = 40;
const mostReasonWords = 60;

/** A few words about what the attempts ran and why: programs, scripts and stated reasons. */
export async function workWords(tx: Repositories, attempts: readonly StoredAttempt[]): Promise<string> {
  const programs = new Set<string>();
  const reasons = new Set<string>();
  const newest = attempts.toReversed();
  const isEnough = () => programs.size >= mostProgramWords && reasons.size >= mostReasonWords;
  for (let at = 0; at < newest.length && !isEnough(); at += readTogether) {
    const work = await Promise.all(
      newest.slice(at, at + readTogether).map((attempt) => lastWork(tx, attempt)),
    );
    for (const action of work.flat()) {
      for (const program of programsOf(commandOf(action) ?? ""))
        addWords(programs, program, mostProgramWords);
      addWords(reasons, action.reasoning ?? "", mostReasonWords);
    }
  }
  return [...new Set([...programs, ...reasons])].join(" ");
}

type Work = Pick<Action, "params" | "reasoning">;

async function lastWork(tx: Repositories, attempt: StoredAttempt): Promise<Work[]> {
  const work =
    attempt.actions_summary === undefined
      ? await tx.actions.listLastWork(attempt.key, readActions)
      : await packedWork(tx, attempt);
  return work.filter((action) => !isByRalph(action));
}

async function packedWork(tx: Repositories, attempt: StoredAttempt): Promise<Work[]> {
  const { listPackedActions } = await import("../history/archive-history.js");
  return (await listPackedActions(tx, attempt)).toReversed().slice(0, readActions);
}

function addWords(known: Set<string>, text: string, most: number): void {
  for (const word of wordsOf(text.slice(0, readLength))) {
    if (known.size >= most) return;
    if (!stopWords.has(word)) known.add(word);
  }
}
