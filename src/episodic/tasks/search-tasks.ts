import { RalphError } from "../../domain/ralph-error.js";
import type { Reflection } from "../../domain/tasks/reflection.js";
import { numberOfTaskId, type Task, type TaskStatus } from "../../domain/tasks/task.js";
import { parseQuestion } from "../../search/question.js";
import { agentLabel, shownLabel, statusLabel, tagLabel, taskKind } from "../../search/record-kinds.js";
import { type FindRecords, searchRecords } from "../../search/search-records.js";
import type { LexicalHit } from "../../store/lexical-index.js";
import type { AttemptTrace } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import { valuesPerStatement } from "../../store/sql.js";
import type { Repositories } from "../../store/store.js";
import { questionWords } from "../../words/words.js";
import type { EpisodicContext } from "../episodic-context.js";
import { getTask, publicTask } from "./get-task.js";

export interface TaskSearch {
  text: string;
  statuses?: readonly TaskStatus[] | undefined;
  /** Matches tasks with any of them. */
  tags?: readonly string[] | undefined;
  agent?: string | undefined;
  /** Only tasks updated since then, an ISO timestamp. */
  since?: string | undefined;
  /** Includes archived tasks. */
  includesArchived?: boolean | undefined;
  limit?: number | undefined;
}

export interface FoundTask extends Task {
  /** Higher is better; only the order is meaningful. */
  score: number;
  /** The best matching text of the task, and its origin. */
  excerpt: { from: "description" | "reflection" | "error" | "outcome"; text: string };
}

const defaultLimit = 10;
/** Leaves room for lessons where only the beginning of a text is read. */
const maxDescription = 600;

/** Tasks whose description, reflections, errors or outcomes match a query, best first. */
export async function searchTasks(
  { store }: EpisodicContext,
  { text, statuses, tags, agent, since, includesArchived = false, limit = defaultLimit }: TaskSearch,
  findRecords: FindRecords = searchRecords,
): Promise<FoundTask[]> {
  if (typeof text !== "string") {
    throw new RalphError("wrong-use", "A search needs a text", {
      hint: 'for example { text: "login test" }',
    });
  }
  const hits = await findRecords(store.lexical, {
    question: parseQuestion(text),
    kind: taskKind,
    sources: [""],
    labelGroups: [
      (statuses ?? []).map(statusLabel),
      (tags ?? []).map(tagLabel),
      agent === undefined ? [] : [agentLabel(agent)],
      includesArchived ? [] : [shownLabel],
    ].filter((group) => group.length > 0),
    since: since === undefined ? undefined : Date.parse(since),
    limit,
    readTexts: (best) => Promise.all(best.map(({ id }) => readTask(store, id))),
  });
  const asked = new Set(questionWords(text));
  const found: FoundTask[] = [];
  for (let start = 0; start < hits.length; start += valuesPerStatement)
    found.push(...(await toFound(store, hits.slice(start, start + valuesPerStatement), asked)));
  return found;
}

/** The tasks of the hits in order, each with its best matching text. */
async function toFound(
  { tasks, reflections, attempts }: Repositories,
  hits: readonly LexicalHit[],
  asked: ReadonlySet<string>,
): Promise<FoundTask[]> {
  const numbers = hits.flatMap(({ id }) => numberOfTaskId(id) ?? []);
  if (numbers.length === 0) return [];
  const [known, lessons, traces] = await Promise.all([
    tasks.listByNumbers(numbers),
    reflections.listForTasks(numbers),
    attempts.listTraces(numbers),
  ]);
  const byId = new Map(known.map((task) => [task.id, task]));
  return hits.flatMap(({ id, score }) => {
    const task = byId.get(id);
    if (task === undefined) return [];
    const texts = textsOf(
      task,
      lessons.filter(({ task_id: taskId }) => taskId === id),
      traces.filter(({ taskNumber }) => taskNumber === task.number),
    );
    return [{ ...publicTask(task), score, excerpt: bestMatch(texts, asked) }];
  });
}

/** Description and lessons of a task. */
async function readTask(repositories: Repositories, id: string): Promise<string> {
  const [{ description }, reflections] = await Promise.all([
    getTask(repositories, id),
    repositories.reflections.listLast(numberOfTaskId(id) ?? 0),
  ]);
  const lessons = reflections.flatMap(({ learning, observation }) => [learning, observation]);
  return [description.slice(0, maxDescription), ...lessons].join("\n");
}

type Excerpt = FoundTask["excerpt"];

function textsOf(
  { description }: StoredTask,
  reflections: readonly Reflection[],
  traces: readonly AttemptTrace[],
): [Excerpt, ...Excerpt[]] {
  return [
    { from: "description", text: description },
    ...reflections.flatMap(({ learning, observation }) =>
      [learning, observation].map((text) => ({ from: "reflection" as const, text })),
    ),
    ...traces.flatMap(({ errors }) =>
      errors.map(({ message }) => ({ from: "error" as const, text: message })),
    ),
    ...traces.flatMap(({ outcome }) =>
      outcome?.reason === undefined ? [] : [{ from: "outcome" as const, text: outcome.reason }],
    ),
  ];
}

/** The beginning of a text says what it is about. */
const comparedLength = 1500;

/** The text that shares the most words with the query; the first on a tie. */
function bestMatch(texts: readonly [Excerpt, ...Excerpt[]], asked: ReadonlySet<string>): Excerpt {
  let [best] = texts;
  let most = -1;
  for (const excerpt of texts) {
    const start = excerpt.text.slice(0, comparedLength).toLowerCase();
    let shared = 0;
    for (const word of asked) if (start.includes(word)) shared += 1;
    if (shared > most) [best, most] = [excerpt, shared];
  }
  return best;
}
