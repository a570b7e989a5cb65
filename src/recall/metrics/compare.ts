import { rounded } from "../../domain/rounded.js";
import { successBounds } from "../../semantic/evidence.js";

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

/** Lower and upper bound. */
export type Interval = readonly [number, number];

/** Two-sided 95 % of the normal distribution. */
const z = 1.959964;

/** The 95 % interval of a difference of two means with unequal variances (Welch); undefined if a group is too small. */
export function intervalOfMeans(ones: readonly number[], others: readonly number[]): Interval | undefined {
  if (ones.length < 2 || others.length < 2) return undefined;
  const [one, other] = [ones, others].map((values) => varianceOf(values) / values.length);
  if (one === undefined || other === undefined) return undefined;
  const difference = meanOf(ones) - meanOf(others);
  const spread = one + other;
  if (spread === 0) return [difference, difference];
  const freedom = spread ** 2 / (one ** 2 / (ones.length - 1) + other ** 2 / (others.length - 1));
  const half = studentQuantile(freedom) * Math.sqrt(spread);
  return [difference - half, difference + half];
}

/** The 95 % interval of a difference of two shares (Newcombe). */
export function intervalOfShares(
  one: { hits: number; of: number },
  other: { hits: number; of: number },
): Interval | undefined {
  if (one.of === 0 || other.of === 0) return undefined;
  const [first, second] = [one.hits / one.of, other.hits / other.of];
  const firstBounds = successBounds(one.hits, one.of, z);
  const secondBounds = successBounds(other.hits, other.of, z);
  const difference = first - second;
  return [
    difference - Math.hypot(first - firstBounds.lower, secondBounds.upper - second),
    difference + Math.hypot(firstBounds.upper - first, second - secondBounds.lower),
  ];
}

/** The 95 % interval of one mean, from the sums of its values and of their squares; undefined for a single value. */
export function intervalOfMean({
  n,
  sum,
  squares,
}: {
  n: number;
  sum: number;
  squares: number;
}): Interval | undefined {
  if (n < 2) return undefined;
  const mean = sum / n;
  const variance = Math.max(0, (squares - n * mean ** 2) / (n - 1));
  const half = studentQuantile(n - 1) * Math.sqrt(variance / n);
  return [mean - half, mean + half];
}

/** The 95 % interval of one share. */
export function intervalOfShare(hits: number, of: number): Interval {
  const { lower, upper } = successBounds(hits, of, z);
  return [lower, upper];
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/** The two-sided 95 % quantile of Student's t-distribution, expanded around the normal one. */
function studentQuantile(freedom: number): number {
  const terms = [
    z,
    (z ** 3 + z) / (4 * freedom),
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2),
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3),
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / (92160 * freedom ** 4),
  ];
  return terms.reduce((sum, term) => sum + term, 0);
}
