import { describe, expect, it } from "vitest";
import {
  compareMeans,
  compareShares,
  intervalOfMeans,
  intervalOfShares,
} from "../../src/recall/metrics/compare.js";

describe("the margin of a difference", () => {
  it("of means is Welch's", () => {
    // Equal variances of 2.5: the standard error is 1, with 8 degrees of freedom, whose quantile is 2.306.
    const [lower, upper] = intervalOfMeans([5, 6, 7, 8, 9], [2, 3, 4, 5, 6]) ?? [0, 0];
    expect(lower).toBeCloseTo(3 - 2.306, 2);
    expect(upper).toBeCloseTo(3 + 2.306, 2);
  });

  it("of shares is Newcombe's", () => {
    // The worked example of Newcombe (1998), table II, case (a): 56/70 against 48/80.
    const [lower, upper] = intervalOfShares({ hits: 56, of: 70 }, { hits: 48, of: 80 }) ?? [0, 0];
    expect(lower).toBeCloseTo(0.0524, 3);
    expect(upper).toBeCloseTo(0.3339, 3);
  });

  it("cannot be told of a single value", () => {
    expect(intervalOfMeans([1], [1, 2, 3])).toBeUndefined();
    expect(intervalOfShares({ hits: 0, of: 0 }, { hits: 1, of: 2 })).toBeUndefined();
  });
});

describe("a comparison", () => {
  it("says so when there are too few tasks", () => {
    expect(compareMeans([5, 6, 5, 6], [1, 2, 1, 2, 1], "lowest").verdict).toBe("too few tasks to tell");
  });

  it("says which group is better once the interval leaves out zero", () => {
    expect(compareMeans([5, 6, 5, 6, 5], [1, 2, 1, 2, 1], "lowest")).toMatchObject({
      difference: -4,
      verdict: "better",
    });
    expect(compareMeans([5, 6, 5, 6, 5], [1, 2, 1, 2, 1], "highest").verdict).toBe("worse");
    expect(compareMeans([5, 1, 9, 2, 7], [4, 2, 8, 3, 6], "lowest").verdict).toBe(
      "no difference can be told",
    );
  });

  it("counts successes", () => {
    const of = (hits: number, all: number) => Array.from({ length: all }, (_, index) => index < hits);
    expect(compareShares(of(5, 20), of(16, 20))).toMatchObject({
      baseline: { n: 20, value: 0.25 },
      treatment: { n: 20, value: 0.8 },
      difference: 0.55,
      verdict: "better",
    });
  });
});
