import { type Action, subjectOf } from "../../domain/tasks/action.js";
import { attemptSilenceMs, type Run } from "../../domain/tasks/run.js";
import { isAttemptHeld, isRunHeld } from "../../episodic/attempts/attempt-lease.js";
import { numberOf } from "../../episodic/tasks/get-task.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { Repositories } from "../../store/store.js";
import { type RunState, runStateOf } from "../runs/end-run.js";
import type { UnderWay } from "./team.js";

/** A run, the attempt that it is at, or an attempt that somebody started by hand. */
interface Work {
  run?: Run | undefined;
  attempt?: StoredAttempt | undefined;
}

/** All that is not over, whether somebody still holds it or not. */
export async function listUnderWay(repositories: Repositories, now: Date): Promise<UnderWay[]> {
  const [runs, attempts] = await Promise.all([
    repositories.runs.listUnfinished(),
    repositories.attempts.listRunning(),
  ]);
  const works: Work[] = [
    ...runs.map((run) => ({ run, attempt: attempts.find(({ runKey }) => runKey === run.id) })),
    ...attempts.filter(({ runKey }) => !runs.some(({ id }) => id === runKey)).map((attempt) => ({ attempt })),
  ];
  const [tasks, actions] = await Promise.all([
    works.length === 0 ? [] : repositories.tasks.listByNumbers(works.map((work) => taskNumberOf(work))),
    attempts.length === 0
      ? new Map<number, Action>()
      : repositories.actions.listLastOfEach(attempts.map(({ key }) => key)),
  ]);
  const found = await Promise.all(
    works.map(async (work): Promise<UnderWay> => {
      const { run, attempt } = work;
      const task = tasks.find(({ number }) => number === taskNumberOf(work));
      const action = attempt && actions.get(attempt.key);
      const holder = run ?? attempt;
      const agent = run?.options.agent ?? attempt?.execution.agent;
      return {
        task_id: holder?.task_id ?? "",
        objective: task?.description ?? "",
        attempt: attempt?.id ?? task?.current_attempt ?? 0,
        state: await stateOfWork(repositories, work, now),
        ...(holder?.made_by !== undefined && { made_by: holder.made_by }),
        ...(agent !== undefined && { agent }),
        ...(holder?.runner !== undefined && { host: holder.runner.host, process: holder.runner.pid }),
        since: holder?.started ?? "",
        ...heldUntil(work),
        ...(action !== undefined && {
          last_action: {
            ...{ timestamp: action.timestamp, tool: action.tool },
            ...{ what: subjectOf(action), success: action.success },
          },
        }),
      };
    }),
  );
  return found.toSorted((one, other) => (one.since < other.since ? -1 : 1));
}

function taskNumberOf({ run, attempt }: Work): number {
  const holder = run ?? attempt;
  return holder === undefined ? 0 : numberOf(holder);
}

async function stateOfWork(repositories: Repositories, { run, attempt }: Work, now: Date): Promise<RunState> {
  const isHeld =
    run === undefined
      ? attempt !== undefined && (await isAttemptHeld(repositories, attempt, now))
      : await isRunHeld(repositories, run, now);
  return runStateOf(run === undefined ? attempt?.runner : run.runner, isHeld);
}

/** What is known about it: a run says it itself, an attempt by hand is silent for a while first. */
function heldUntil({ run, attempt }: Work): Pick<UnderWay, "held_until"> {
  if (run !== undefined) return run.lease_until === undefined ? {} : { held_until: run.lease_until };
  if (attempt?.seenAt === undefined) return {};
  return { held_until: new Date(Date.parse(attempt.seenAt) + attemptSilenceMs).toISOString() };
}
