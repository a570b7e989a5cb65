import { rounded } from "../../domain/rounded.js";
import { type Interval, intervalOfMeans, intervalOfShares, meanOf } from "./interval.js";

export type Verdict = "better" | "worse" | "no difference can be told" | "too few tasks to tell";

export interface Group {
  n: number;
  /** A mean or a share; absent if the group is empty. */
  value?: number;
}

/** One figure for two groups. */
export interface Comparison {
  baseline: Group;
  treatment: Group;
  /** Treatment minus baseline. */
  difference?: number;
  /** The 95 % confidence interval of the difference. */
  interval?: Interval;
  verdict: Verdict;
}

/** Smaller groups are not compared. */
const leastTasks = 5;

export function compareMeans(
  baseline: readonly number[],
  treatment: readonly number[],
  best: "lowest" | "highest",
): Comparison {
  const group = (values: readonly number[]): Group => ({
    n: values.length,
    ...(values.length > 0 && { value: rounded(meanOf(values)) }),
  });
  return judge(group(baseline), group(treatment), intervalOfMeans(treatment, baseline), best);
}

export function compareShares(baseline: readonly boolean[], treatment: readonly boolean[]): Comparison {
  const count = (values: readonly boolean[]) => ({ hits: values.filter(Boolean).length, of: values.length });
  const group = (values: readonly boolean[]): Group => ({
    n: values.length,
    ...(values.length > 0 && { value: rounded(count(values).hits / values.length) }),
  });
  const interval = intervalOfShares(count(treatment), count(baseline));
  return judge(group(baseline), group(treatment), interval, "highest");
}

function judge(
  baseline: Group,
  treatment: Group,
  interval: Interval | undefined,
  best: "lowest" | "highest",
): Comparison {
  const difference =
    baseline.value === undefined || treatment.value === undefined
      ? undefined
      : rounded(treatment.value - baseline.value);
  return {
    baseline,
    treatment,
    ...(difference !== undefined && { difference }),
    ...(interval && { interval: [rounded(interval[0]), rounded(interval[1])] as const }),
    verdict: verdictOn(Math.min(baseline.n, treatment.n), interval, best),
  };
}

function verdictOn(smallest: number, interval: Interval | undefined, best: "lowest" | "highest"): Verdict {
  if (smallest < leastTasks || interval === undefined) return "too few tasks to tell";
  const [lower, upper] = interval;
  if (lower <= 0 && upper >= 0) return "no difference can be told";
  return lower > 0 === (best === "highest") ? "better" : "worse";
}
