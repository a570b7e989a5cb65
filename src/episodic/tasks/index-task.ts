import type { Reflection } from "../../domain/tasks/reflection.js";
import { agentLabel, shownLabel, statusLabel, tagLabel, taskKind } from "../../search/record-kinds.js";
import type { SearchDocument } from "../../store/lexical-index.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import { errorWords } from "../../words/error-codes.js";
import { wordsOf } from "../../words/words.js";
import { kindWord, workKinds } from "../../words/work-kinds.js";
import { workWords } from "./work-words.js";

const indexedReflections = 20;

/** What of a task's work is indexed, oldest first, and the words of what was run and why. */
export interface IndexedWork {
  attempts: readonly StoredAttempt[];
  reflections: readonly Reflection[];
  words: string;
}

/** Indexes a task by its description, kinds of work, lessons, outcomes, errors, files, and what was run and why. */
export async function indexTask(tx: Repositories, task: StoredTask): Promise<void> {
  await tx.lexical.put(await taskDocument(tx, task));
}

/** What a task is found by. */
export async function taskDocument(tx: Repositories, task: StoredTask): Promise<SearchDocument> {
  const [reflections, attempts] = await Promise.all([
    tx.reflections.listLast(task.number, indexedReflections),
    tx.attempts.list(task.number),
  ]);
  return documentOf(task, { attempts, reflections, words: await workWords(tx, attempts) });
}

/** Indexes a task with what was done already at hand. */
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
