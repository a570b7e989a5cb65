import type { TaskFigures } from "../../store/repositories/knowledge/impact.js";
import type { Repositories } from "../../store/store.js";
import { type Interval, intervalOfMean, intervalOfShare } from "./compare.js";
import { groupTasks, type ImpactMetrics, nameOfBaseline } from "./measure-impact.js";

/** All tasks of a group that were finished by then. */
export interface GroupAt {
  n: number;
  value: number;
  /** 95 %. */
  interval?: Interval;
}

export interface ImpactPoint {
  time: string;
  baseline?: GroupAt;
  treatment?: GroupAt;
}

/** One finished task. */
export interface ImpactTask {
  task_id: string;
  finished: string;
  group: "baseline" | "treatment";
  iterations: number;
  succeeded: boolean;
}

/** How both groups came to their figures, as tasks were finished. */
export interface ImpactOverTime {
  baseline: ImpactMetrics["comparison"]["baseline"];
  iterations: ImpactPoint[];
  success: ImpactPoint[];
  /** The newest ones, oldest first. */
  tasks: ImpactTask[];
}

const maxPoints = 60;
const maxTasks = 500;

export async function impactOverTime(
  { impact }: Repositories,
  { since }: { since: string },
): Promise<ImpactOverTime> {
  const { baseline, treatment, isControlled } = groupTasks(await impact.listTasks(since));
  const tasks = [...toTasks(baseline, "baseline"), ...toTasks(treatment, "treatment")].toSorted(
    (one, other) => (one.finished < other.finished ? -1 : one.finished > other.finished ? 1 : 0),
  );
  return {
    baseline: nameOfBaseline(isControlled),
    // A task that failed took as many iterations as it was given.
    iterations: sampled(
      tasks.filter(({ succeeded }) => succeeded),
      ({ iterations }) => iterations,
      (sums) => intervalOfMean(sums),
    ),
    success: sampled(
      tasks,
      ({ succeeded }) => Number(succeeded),
      ({ n, sum }) => intervalOfShare(sum, n),
    ),
    tasks: tasks.slice(-maxTasks),
  };
}

function toTasks(figures: readonly TaskFigures[], group: ImpactTask["group"]): ImpactTask[] {
  return figures.map(({ task_id, finished, iterations, succeeded }) => ({
    task_id,
    finished,
    group,
    iterations,
    succeeded,
  }));
}

interface Sums {
  n: number;
  sum: number;
  squares: number;
}

/** The figures of both groups after some of the tasks, evenly chosen, the last one always. */
function sampled(
  tasks: readonly ImpactTask[],
  figureOf: (task: ImpactTask) => number,
  intervalOf: (sums: Sums) => Interval | undefined,
): ImpactPoint[] {
  const step = Math.max(1, Math.ceil(tasks.length / maxPoints));
  const sums = { baseline: { n: 0, sum: 0, squares: 0 }, treatment: { n: 0, sum: 0, squares: 0 } };
  const points: ImpactPoint[] = [];
  for (const [index, task] of tasks.entries()) {
    const own = sums[task.group];
    const value = figureOf(task);
    own.n += 1;
    own.sum += value;
    own.squares += value ** 2;
    if ((tasks.length - 1 - index) % step !== 0) continue;
    points.push({
      time: task.finished,
      ...at("baseline", sums.baseline, intervalOf),
      ...at("treatment", sums.treatment, intervalOf),
    });
  }
  return points;
}

function at(
  group: ImpactTask["group"],
  sums: Sums,
  intervalOf: (sums: Sums) => Interval | undefined,
): Pick<ImpactPoint, "baseline" | "treatment"> {
  if (sums.n === 0) return {};
  const interval = intervalOf(sums);
  return { [group]: { n: sums.n, value: sums.sum / sums.n, ...(interval && { interval }) } };
}
