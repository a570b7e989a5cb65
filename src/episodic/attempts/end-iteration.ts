import type { IterationResult } from "../../domain/tasks/attempt.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { StoredTask } from "../../store/repositories/tasks/tasks.js";
import type { Repositories } from "../../store/store.js";
import type { EndingContext } from "../episodic-context.js";
import { describeFailure } from "../failures/failure.js";
import { failuresOf } from "../failures/failures-of.js";
import { rateReflections } from "../reflections/rate-reflections.js";
import { reflectByRules } from "../reflections/reflect-by-rules.js";
import type { PreviousWork, WorkReport } from "../reflections/work-report.js";
import { scaleWindow } from "../window/scale-window.js";
import { previousWorkOf } from "./end-attempt.js";
import type { LogEntry } from "./read-log-entry.js";

type EndedIteration = Omit<Extract<LogEntry, { kind: "iteration" }>, "kind">;

/** Records how an iteration ended; of one that failed, with a reflection. Tells what it was about in that case. */
export async function endIteration(
  tx: Repositories,
  task: StoredTask,
  attempt: StoredAttempt,
  { result, changedFiles, verdict }: EndedIteration,
  { now, window }: Omit<EndingContext, "root">,
): Promise<WorkReport | undefined> {
  await tx.iterationResults.record(attempt.key, result);
  if (result.success === undefined) return undefined;
  const report = { ...(await gather(tx, task, attempt, result)), changedFiles, verdict };
  const reflections = await tx.reflections.listForAttempt(task.number, attempt.id);
  const ofIteration = (iteration: number) =>
    reflections.filter((each) => each.triggered_by === "iteration" && each.iteration === iteration);
  await rateReflections(tx, ofIteration(result.iteration - 1), report);
  await scaleWindow(tx, task, attempt.id, window, now);
  if (result.success) return undefined;
  const reflection = reflectByRules(report, now);
  const [known] = ofIteration(result.iteration);
  if (known === undefined) await tx.reflections.record(task.number, reflection);
  else await tx.reflections.rewrite(known.key, reflection);
  return report;
}

async function gather(
  tx: Repositories,
  task: StoredTask,
  attempt: StoredAttempt,
  { iteration, success, quality, output }: IterationResult,
): Promise<WorkReport> {
  const actions = await tx.actions.list(attempt.key);
  const inIteration = (number: number) => actions.filter((action) => action.iteration === number);
  return {
    task,
    attemptId: attempt.id,
    iteration,
    iterations: Math.max(attempt.execution.iterations, iteration),
    outcome: success ? "success" : "failure",
    quality,
    whatWorked: [],
    output,
    actions: inIteration(iteration),
    failures: failuresOf(inIteration(iteration), output),
    previous: await findPrevious(),
  };

  async function findPrevious(): Promise<PreviousWork | undefined> {
    const results = await tx.iterationResults.list(attempt.key);
    const last = results.findLast((each) => each.iteration < iteration);
    if (last === undefined) {
      const earlier = await tx.attempts.find(task.number, attempt.id - 1);
      return earlier && previousWorkOf(earlier);
    }
    return {
      name: `iteration ${last.iteration}`,
      errors: last.success ? [] : failuresOf(inIteration(last.iteration), last.output).map(describeFailure),
      quality: last.quality,
    };
  }
}
