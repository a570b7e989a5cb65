import { RalphError } from "../domain/ralph-error.js";
import type { Task, TaskStatus } from "../domain/task.js";
import { tagLabel } from "../search/note-labels.js";
import { type FindRecords, searchRecords } from "../search/search-records.js";
import { agentLabel, shownLabel, statusLabel, taskKind } from "../search/task-labels.js";
import { questionWords, wordsOf } from "../search/words.js";
import type { StoredTask } from "../store/repositories/tasks.js";
import type { Repositories } from "../store/store.js";
import type { EpisodicContext } from "./episodic-context.js";
import { getTask } from "./get-task.js";
import { publicTask } from "./public-records.js";

export interface TaskSearch {
  text: string;
  statuses?: readonly TaskStatus[] | undefined;
  /** Any of them. */
  tags?: readonly string[] | undefined;
  agent?: string | undefined;
  /** Archived tasks too. */
  isArchivedToo?: boolean | undefined;
  limit?: number | undefined;
}

export interface FoundTask extends Task {
  /** Higher is better; only the order means something. */
  score: number;
  /** The text of the task that answers best, and what it is. */
  excerpt: { from: "description" | "reflection" | "error" | "outcome"; text: string };
}

const defaultLimit = 10;
/** Leaves room for lessons where only the beginning of a text is read. */
const maxDescription = 600;

/** Tasks whose description, reflections, errors or outcomes answer a question, best first. */
export async function searchTasks(
  { store }: EpisodicContext,
  { text, statuses, tags, agent, isArchivedToo = false, limit = defaultLimit }: TaskSearch,
  findRecords: FindRecords = searchRecords,
): Promise<FoundTask[]> {
  if (typeof text !== "string") {
    throw new RalphError("wrong-use", "A search needs a text", { hint: 'such as { text: "login test" }' });
  }
  const hits = await findRecords(store.lexical, {
    text,
    kind: taskKind,
    sources: [""],
    labelGroups: [
      (statuses ?? []).map(statusLabel),
      (tags ?? []).map(tagLabel),
      agent === undefined ? [] : [agentLabel(agent)],
      isArchivedToo ? [] : [shownLabel],
    ].filter((group) => group.length > 0),
    limit,
    readTexts: (best) => Promise.all(best.map(({ id }) => readTask(store, id))),
  });
  const asked = new Set(questionWords(text));
  const found: FoundTask[] = [];
  for (const { id, score } of hits) {
    const task = await getTask(store, id);
    found.push({ ...publicTask(task), score, excerpt: await bestExcerpt(store, task, asked) });
  }
  return found;
}

/** What a task was about, and what was learned from it. */
async function readTask(repositories: Repositories, id: string): Promise<string> {
  const { description, number } = await getTask(repositories, id);
  const reflections = await repositories.reflections.listLast(number);
  const lessons = reflections.flatMap(({ learning, observation }) => [learning, observation]);
  return [description.slice(0, maxDescription), ...lessons].join("\n");
}

async function bestExcerpt(
  repositories: Repositories,
  task: StoredTask,
  asked: ReadonlySet<string>,
): Promise<FoundTask["excerpt"]> {
  const reflections = await repositories.reflections.listLast(task.number);
  const attempts = await repositories.attempts.list(task.number);
  const texts: FoundTask["excerpt"][] = [
    { from: "description", text: task.description },
    ...reflections.flatMap(({ learning, observation }) =>
      [learning, observation].map((text) => ({ from: "reflection" as const, text })),
    ),
    ...attempts.flatMap(({ errors_encountered: errors }) =>
      errors.map(({ message }) => ({ from: "error" as const, text: message })),
    ),
    ...attempts.flatMap(({ outcome }) =>
      outcome?.reason === undefined ? [] : [{ from: "outcome" as const, text: outcome.reason }],
    ),
  ];
  const share = ({ text }: FoundTask["excerpt"]) => {
    const words = new Set(wordsOf(text));
    return [...asked].filter((word) => words.has(word)).length;
  };
  return texts.reduce((best, text) => (share(text) > share(best) ? text : best));
}
