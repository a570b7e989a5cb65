import { rounded } from "../../domain/rounded.js";
import { sha256 } from "../../domain/sha256.js";
import type { Effectiveness } from "../../domain/tasks/reflection.js";
import type { AttemptFigures, TaskFigures } from "../../store/repositories/knowledge/impact.js";
import type { Repositories } from "../../store/store.js";
import { type Comparison, compareMeans, compareShares, meanOf } from "./compare.js";

interface Share {
  of: number;
  /** Absent if there is nothing to count. */
  rate?: number;
}

/** Whether memory helps, with the field names of the published schema. */
export interface ImpactMetrics {
  finished_tasks: number;
  /** How often a similar task was shown. */
  cross_task_retrieval_count: number;
  /** The share of successes among tasks that were shown similar ones. */
  cross_task_success_rate: Share;
  /** How many reflections attempts after the first started with. */
  memory_capacity_used: { attempts: number; mean?: number; max?: number };
  reflection_helpfulness: Share & Record<Effectiveness, number>;
  iterations_saved: { value?: number; interval?: readonly [number, number]; verdict: Comparison["verdict"] };
  /** Success rates of first attempts, and of retries with and without reflections. */
  retry_improvement: {
    first_attempts: Share;
    retries_without_reflections: Share;
    retries_with_reflections: Share;
    /** Retries with reflections against first attempts. */
    improvement: Comparison;
    /** Retries with reflections against retries without. */
    effect_of_reflections: Comparison;
  };
  comparison: {
    /** Without a randomised control group, tasks that happened to be shown nothing are the baseline, which proves less. */
    baseline: "control group" | "tasks that were shown nothing";
    success_rate: Comparison;
    iterations_to_completion: Comparison;
    final_quality_score: Comparison;
    time_to_completion_seconds: Comparison;
  };
}

export async function measureImpact(
  { impact }: Repositories,
  { since }: { since: string },
): Promise<ImpactMetrics> {
  const tasks = await impact.listTasks(since);
  const attempts = await impact.listAttempts(since);
  const ratings = await impact.countRatings(since);
  const comparison = compareTasks(tasks);
  const helped = tasks.filter(({ isHoldout, shownTasks }) => isHoldout === false && shownTasks > 0);
  const { difference, interval, verdict } = comparison.iterations_to_completion;
  return {
    finished_tasks: tasks.length,
    cross_task_retrieval_count: helped.reduce((sum, { shownTasks }) => sum + shownTasks, 0),
    cross_task_success_rate: shareOf(helped.map(({ succeeded }) => succeeded)),
    memory_capacity_used: capacityUsed(attempts),
    reflection_helpfulness: helpfulness(ratings),
    iterations_saved: {
      ...(difference !== undefined && { value: rounded(-difference) }),
      ...(interval && { interval: [rounded(-interval[1]), rounded(-interval[0])] as const }),
      verdict,
    },
    retry_improvement: retryImprovement(attempts),
    comparison,
  };
}

interface ComparedTasks {
  baseline: readonly TaskFigures[];
  treatment: readonly TaskFigures[];
  isControlled: boolean;
}

/** The tasks with memory, and those that they are compared with. */
export function groupTasks(tasks: readonly TaskFigures[]): ComparedTasks {
  const control = tasks.filter(({ isHoldout }) => isHoldout === true);
  const isControlled = control.length > 0;
  const baseline = isControlled
    ? control
    : tasks.filter(({ isHoldout, shownRecords }) => isHoldout === undefined || shownRecords === 0);
  // Tasks before the first control task may not have been randomised, and had a younger memory.
  const randomised = isControlled
    ? tasks.slice(tasks.findIndex(({ isHoldout }) => isHoldout === true))
    : tasks;
  const treatment = randomised.filter(
    ({ isHoldout, shownRecords }) => isHoldout === false && (isControlled || shownRecords > 0),
  );
  return { baseline, treatment, isControlled };
}

export function nameOfBaseline(isControlled: boolean): ImpactMetrics["comparison"]["baseline"] {
  return isControlled ? "control group" : "tasks that were shown nothing";
}

function compareTasks(tasks: readonly TaskFigures[]): ImpactMetrics["comparison"] {
  const { baseline, treatment, isControlled } = groupTasks(tasks);
  const completed = (group: readonly TaskFigures[]) => group.filter(({ succeeded }) => succeeded);
  const qualities = (group: readonly TaskFigures[]) =>
    group.flatMap(({ final_quality: quality }) => quality ?? []);
  return {
    baseline: nameOfBaseline(isControlled),
    success_rate: compareShares(
      baseline.map(({ succeeded }) => succeeded),
      treatment.map(({ succeeded }) => succeeded),
    ),
    iterations_to_completion: compareMeans(
      completed(baseline).map(({ iterations }) => iterations),
      completed(treatment).map(({ iterations }) => iterations),
      "lowest",
    ),
    final_quality_score: compareMeans(qualities(baseline), qualities(treatment), "highest"),
    time_to_completion_seconds: compareMeans(
      completed(baseline).map(({ seconds }) => seconds),
      completed(treatment).map(({ seconds }) => seconds),
      "lowest",
    ),
  };
}

function retryImprovement(attempts: readonly AttemptFigures[]): ImpactMetrics["retry_improvement"] {
  const outcomes = (wanted: (attempt: AttemptFigures) => boolean) =>
    attempts.filter(wanted).map(({ succeeded }) => succeeded);
  const first = outcomes(({ followsFailure }) => followsFailure === undefined);
  const withReflections = outcomes(
    ({ followsFailure, reflections }) => followsFailure === true && reflections > 0,
  );
  const withoutReflections = outcomes(
    ({ followsFailure, reflections }) => followsFailure === true && reflections === 0,
  );
  return {
    first_attempts: shareOf(first),
    retries_without_reflections: shareOf(withoutReflections),
    retries_with_reflections: shareOf(withReflections),
    improvement: compareShares(first, withReflections),
    effect_of_reflections: compareShares(withoutReflections, withReflections),
  };
}

function capacityUsed(attempts: readonly AttemptFigures[]): ImpactMetrics["memory_capacity_used"] {
  const used = attempts
    .filter(({ followsFailure }) => followsFailure !== undefined)
    .map(({ reflections }) => reflections);
  if (used.length === 0) return { attempts: 0 };
  return {
    attempts: used.length,
    mean: rounded(meanOf(used)),
    max: used.reduce((most, one) => Math.max(most, one), 0),
  };
}

function helpfulness(
  ratings: readonly { effectiveness: string; count: number }[],
): ImpactMetrics["reflection_helpfulness"] {
  const count = (wanted: Effectiveness) =>
    ratings.find(({ effectiveness }) => effectiveness === wanted)?.count ?? 0;
  const counts = { helpful: count("helpful"), neutral: count("neutral"), unhelpful: count("unhelpful") };
  const of = counts.helpful + counts.neutral + counts.unhelpful;
  return { of, ...(of > 0 && { rate: rounded(counts.helpful / of) }), ...counts };
}

function shareOf(outcomes: readonly boolean[]): Share {
  const of = outcomes.length;
  return { of, ...(of > 0 && { rate: rounded(outcomes.filter(Boolean).length / of) }) };
}

/** Whether a task is in the control group: each task is with probability `share`, and always gets the same answer. */
export function isControlTask(uuid: string, share: number): boolean {
  if (share <= 0) return false;
  const fraction = Number.parseInt(sha256(uuid).slice(0, 8), 16) / 2 ** 32;
  return fraction < share;
}
