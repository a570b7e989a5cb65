import { interrupted } from "../../domain/tasks/attempt.js";
import type { AttemptTrace } from "../../store/repositories/tasks/attempts.js";

/** What a task took. */
export interface Effort {
  attempts: number;
  /** Judged iterations; an attempt without any counts as one. */
  iterations: number;
  seconds: number;
}

/** What a task took in the attempts in which somebody worked; undefined if there was none. */
export function effortOf(traces: readonly AttemptTrace[]): Effort | undefined {
  const worked = traces.filter(wasWorkedOn);
  if (worked.length === 0) return undefined;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    attempts: worked.length,
    iterations: sum(worked.map(({ judgedIterations }) => Math.max(1, judgedIterations))),
    seconds: sum(worked.map(({ seconds }) => seconds)),
  };
}

/** An agent that dies at once is judged as well, but it did nothing. */
function wasWorkedOn({ outcome, actions, files, judgedIterations }: AttemptTrace): boolean {
  if (outcome === undefined || outcome.reason === interrupted) return false;
  return actions > 0 || files.length > 0 || (judgedIterations > 0 && outcome.status === "success");
}

/** The mean effort of the tasks of these attempts; undefined if nobody worked on any. */
export function meanEffort(traces: readonly AttemptTrace[]): Effort | undefined {
  const byTask = new Map<number, AttemptTrace[]>();
  for (const trace of traces) byTask.set(trace.taskNumber, [...(byTask.get(trace.taskNumber) ?? []), trace]);
  const efforts = [...byTask.values()].flatMap((own) => effortOf(own) ?? []);
  return efforts.length === 0 ? undefined : weightedMean(efforts.map((effort) => [effort, 1]));
}

export function weightedMean(efforts: readonly (readonly [effort: Effort, weight: number])[]): Effort {
  const all = efforts.reduce((sum, [, weight]) => sum + weight, 0);
  const mean = (field: keyof Effort) =>
    efforts.reduce((sum, [effort, weight]) => sum + effort[field] * weight, 0) / all;
  return { attempts: mean("attempts"), iterations: mean("iterations"), seconds: mean("seconds") };
}
