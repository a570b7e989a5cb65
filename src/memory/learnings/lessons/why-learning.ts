import type { Credit } from "../../../domain/knowledge/brief.js";
import type { Learning } from "../../../domain/knowledge/learning.js";
import { subjectOf } from "../../../domain/tasks/action.js";
import type { EpisodicContext } from "../../../episodic/episodic-context.js";
import { queryHistory, type TaskHistory } from "../../../episodic/history/query-history.js";
import { liftsOf } from "../../../semantic/evidence.js";
import { getLearning } from "../../../semantic/records/learning-records.js";
import { listLinks, type RecordLink } from "../../../semantic/records/link-records.js";
import { unique } from "../../../text/unique.js";
import { episodeId } from "./task-lessons.js";
import { taskRecordOf } from "./task-record-of.js";

/** One attempt behind a learning. */
export interface EvidenceAttempt {
  episode: string;
  task_id: string;
  attempt_id: number;
  description: string;
  outcome: string;
  ended?: string;
  /** Who worked on it. */
  made_by?: string;
  /** The last actions. */
  actions: { tool: string; what: string; success: boolean }[];
  errors: string[];
  reflections: string[];
}

/** What happened to the failure of an antipattern in one task. */
export interface EvidenceRemedy {
  source: string;
  /** What made it go away. */
  remedy?: string;
  /** Somebody said so; otherwise it is read from the actions. */
  isSaid: boolean;
  /** What was tried without success. */
  inVain: string[];
}

export interface LearningEvidence {
  learning: Learning;
  attempts: EvidenceAttempt[];
  /** For an antipattern, what helped and what did not, by task. */
  remedies: EvidenceRemedy[];
  /** Sources outside this memory, such as loops of another tool. */
  otherSources: string[];
  /** The outcomes of tasks that were shown it. */
  credits: Credit[];
  /** How much better tasks went with it than similar tasks without, as a lower bound. */
  lift: number;
  links: RecordLink[];
}

const shownActions = 12;

/** The attempts a learning comes from, and the outcomes of tasks that were shown it. */
export async function whyLearning(context: EpisodicContext, id: string): Promise<LearningEvidence> {
  const { store } = context;
  const learning = await getLearning(store, id);
  const histories: TaskHistory[] = [];
  const otherSources: string[] = [];
  const tasks = (learning.source_episodes ?? []).map((episode) => episode.replace(/\/\d+$/, ""));
  for (const source of unique([...learning.sourceLoops, ...tasks])) {
    const history = await findHistory(context, source);
    if (history === undefined) otherSources.push(source);
    else histories.push(history);
  }
  const named = new Set(learning.source_episodes ?? []);
  const attempts = histories.flatMap((history) =>
    history.attempts
      .filter((attempt) => named.size === 0 || named.has(episodeId(history.id, attempt.id)))
      .map((attempt): EvidenceAttempt => {
        const own = history.reflections.filter((each) => each.attempt_id === attempt.id);
        return {
          episode: episodeId(history.id, attempt.id),
          task_id: history.id,
          attempt_id: attempt.id,
          description: history.description,
          outcome: attempt.outcome?.status ?? "running",
          ...(attempt.ended && { ended: attempt.ended }),
          ...(attempt.made_by && { made_by: attempt.made_by }),
          actions: attempt.actions.slice(-shownActions).map(({ tool, params, success }) => ({
            tool,
            what: subjectOf({ params }),
            success,
          })),
          errors: attempt.errors_encountered.map(({ message }) => message),
          reflections: own.map(({ learning: learned, observation }) => learned || observation),
        };
      }),
  );
  return {
    learning,
    attempts,
    remedies: remediesOf(learning, histories),
    otherSources,
    credits: await store.credits.list(learning.id),
    lift: (await liftsOf(store, [learning.id])).get(learning.id) ?? 0,
    links: await listLinks(context, learning.id),
  };
}

function remediesOf(learning: Learning, histories: readonly TaskHistory[]): EvidenceRemedy[] {
  const keys = [learning.failure_key, ...(learning.failure_aliases ?? [])];
  return Object.entries(learning.merged?.sources ?? {}).flatMap(
    ([source, { remedy, inVain: gists = [] }]) => {
      const history = histories.find(({ id }) => id === source);
      const problems = history === undefined ? [] : taskRecordOf(history).problems;
      const tried = problems.filter(({ key }) => keys.includes(key)).flatMap(({ inVain }) => inVain);
      // A task that is not here any more left only the gists.
      const inVain = unique(history === undefined ? gists : tried.map(({ text }) => text));
      if (remedy === undefined && inVain.length === 0) return [];
      return [{ source, ...(remedy && { remedy: remedy.text }), isSaid: remedy?.isSaid === true, inVain }];
    },
  );
}

async function findHistory(context: EpisodicContext, source: string): Promise<TaskHistory | undefined> {
  if (!/^task-\d+$/.test(source)) return undefined;
  const number = Number(source.slice("task-".length));
  if ((await context.store.tasks.find(number)) === undefined) return undefined;
  return queryHistory(context, source, { isFull: true });
}
