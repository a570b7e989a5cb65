import { type Action, isByRalph, type Milestone } from "../../../domain/tasks/action.js";
import { sessionTag } from "../../../domain/tasks/task.js";
import type { AttemptHistory, TaskHistory } from "../../../episodic/history/query-history.js";
import { describeRemedy, remedyGist } from "../../../episodic/resolutions/describe-remedy.js";
import type { FailureTrace } from "../../../episodic/resolutions/failure-trace.js";
import { isUndone } from "../../../episodic/resolutions/remedy-actions.js";
import {
  failureOfError,
  keyOfError,
  traceOf,
  traceTask,
} from "../../../episodic/resolutions/resolve-errors.js";
import { editedFiles } from "../../../episodic/tasks/task-work.js";
import type { Problem, TaskRecord } from "../../../semantic/extract/task-record.js";
import { unique } from "../../../text/unique.js";
import { episodeId, loopOf, statementsOf } from "./task-lessons.js";

/** A task as the input of extraction. */
export function taskRecordOf(history: TaskHistory): TaskRecord {
  const { attempts, reflections, tags } = history;
  // Nobody judged how a session ended, so its end resolves nothing, and no reflection on it is proved by it.
  const isSession = tags.includes(sessionTag);
  const finished = attempts
    .filter(({ outcome }) => outcome !== undefined)
    .map((attempt) => ({ ...attempt, isUnjudged: isSession }));
  const successes = finished.filter(({ outcome }) => outcome?.status === "success");
  const last = finished.at(-1);
  return {
    task_id: history.id,
    objective: history.description,
    ended: last?.ended ?? history.updated,
    succeeded: history.status === "completed" || (successes.length > 0 && !isSession),
    statements: successes.flatMap((attempt) => statementsOf(attempt, isSession ? [] : reflections)),
    problems: problemsOf(history.id, finished),
    episodes: finished.map(({ id }) => episodeId(history.id, id)),
    files: unique(
      attempts.flatMap(({ actions, artifacts_produced: made }) => [...editedFiles(actions), ...made]),
    ),
    commands: attempts.flatMap(({ actions }) => actions.flatMap(passedCommand)),
    isSession,
    prompts: attempts.flatMap(({ milestones }) => milestones.flatMap(promptOf)),
    git_commit: last?.git_commit,
    loop: loopOf(history),
  };
}

/** What a person asked for later than at first. */
function promptOf({ event, details }: Milestone): string[] {
  return event === "prompt" && details !== undefined ? [details] : [];
}

/** What Ralph ran to judge the work was chosen by a setting. */
function passedCommand(action: Action): string[] {
  const { command } = action.params;
  return action.success && typeof command === "string" && !isByRalph(action) ? [command] : [];
}

function problemsOf(taskId: string, attempts: readonly AttemptHistory[]): Problem[] {
  const traces = traceTask(attempts);
  const episodes = (ids: readonly number[]) => ids.map((id) => episodeId(taskId, id));
  return [
    ...groupTraces(traces).map(([trace, ...others]) => ({
      ...toProblem(trace, episodes(trace.attempts)),
      aliases: others.map(({ key }) => key),
    })),
    ...recordedOnly(attempts, traces).map(({ problem, attempt }) => ({
      ...problem,
      episodes: episodes([attempt]),
    })),
  ];
}

/** Failures that one remedy solved are one problem; the most telling of them comes first. */
function groupTraces(traces: readonly FailureTrace[]): [FailureTrace, ...FailureTrace[]][] {
  const groups: [FailureTrace, ...FailureTrace[]][] = [];
  for (const trace of traces) {
    const group = groups.find(([first]) => belongTogether(first, trace));
    if (group === undefined) groups.push([trace]);
    else group.push(trace);
  }
  for (const group of groups) group.sort(byTelling);
  return groups;
}

/** Whether the same work solved both, apart from taking back what did not help. */
function belongTogether(one: FailureTrace, other: FailureTrace): boolean {
  if (one.state !== "solved" || other.state !== "solved") return false;
  const inVain = [...one.triedInVain, ...other.triedInVain].flat();
  const work = ({ remedy }: FailureTrace) =>
    remedy.filter((action) => !inVain.some((tried) => isUndone(tried, action)));
  const [own, others] = [work(one), work(other)];
  const [few, many] = own.length <= others.length ? [own, others] : [others, own];
  return few.every((action) => many.includes(action)) && (few.length === many.length || few.length === 0);
}

/** What is particular to a task tells least, a guess tells little; of equal ones, the first that was seen. */
function byTelling(one: FailureTrace, other: FailureTrace): number {
  const weight = ({ isParticular, failure: { isGuess } }: FailureTrace) =>
    (isParticular ? 2 : 0) + (isGuess ? 1 : 0);
  const first = ({ sights: [sight = 0] }: FailureTrace) => sight;
  return weight(one) - weight(other) || first(one) - first(other) || (one.key < other.key ? -1 : 1);
}

function toProblem(trace: FailureTrace, episodes: string[]): Problem {
  const { key, isParticular, failure, files, checks, state, remedy, triedInVain } = trace;
  const text = describeRemedy(remedy, failure);
  return {
    key,
    aliases: [],
    isParticular,
    code: failure.code,
    message: failure.message,
    files: unique([...files, ...editedFiles(remedy)]),
    checks,
    state,
    remedy: text === undefined ? undefined : { text, gist: remedyGist(remedy) },
    inVain: triedInVain.flatMap((tried) => {
      const said = describeRemedy(tried, failure);
      return said === undefined ? [] : [{ text: said, gist: remedyGist(tried) }];
    }),
    episodes,
  };
}

/** Errors that are recorded with an attempt, but that none of its actions shows. */
function recordedOnly(
  attempts: readonly AttemptHistory[],
  traces: readonly FailureTrace[],
): { problem: Problem; attempt: number }[] {
  const known = new Set<string>();
  return attempts.flatMap(({ id, errors_encountered: errors }) =>
    errors.flatMap((error) => {
      const { key, isParticular } = keyOfError(error);
      if (known.has(key) || traceOf(error, traces) !== undefined) return [];
      known.add(key);
      const { code, message, file } = failureOfError(error);
      const { resolution } = error;
      const problem: Problem = {
        key,
        aliases: [],
        isParticular,
        code,
        message,
        files: file === undefined ? [] : [file],
        checks: [],
        state: resolution === undefined ? "open" : "solved",
        remedy: resolution === undefined ? undefined : { text: resolution, gist: resolution.toLowerCase() },
        inVain: [],
        episodes: [],
      };
      return [{ problem, attempt: id }];
    }),
  );
}
