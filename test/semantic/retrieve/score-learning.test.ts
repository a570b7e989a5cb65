import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LearningType } from "../../../src/domain/knowledge/learning.js";
import {
  type CreditedOutcome,
  evidenceLift,
  successBounds,
} from "../../../src/semantic/evidence/evidence-bound.js";
import { queryScore, relevance } from "../../../src/semantic/retrieve/score-learning.js";

const now = new Date("2026-03-01T00:00:00Z");

function daysAgo(days: number): string {
  return new Date(now.getTime() - days * 24 * 60 * 60 * 1000).toISOString();
}

describe("relevance", () => {
  it.each([
    ["a match of ten days", { taskType: "test-fix", confidence: 0.8, successRate: 0.75, days: 10 }, 0.859],
    [
      "another type, sixty days",
      { taskType: "feature", confidence: 0.9, successRate: 0.85, days: 60 },
      0.563,
    ],
    ["the best there is", { taskType: "test-fix", confidence: 1, successRate: 1, days: 0 }, 1],
    ["an old one", { taskType: "test-fix", confidence: 0, successRate: 0, days: 400 }, 0.3],
    ["one from a clock ahead of ours", { taskType: "x", confidence: 0, successRate: 0, days: -5 }, 0.1],
  ])("of %s", (_, { days, ...learning }, expected) => {
    const context = { taskType: "test-fix", now };
    expect(relevance({ ...learning, updatedAt: daysAgo(days) }, context)).toBeCloseTo(expected, 3);
  });

  it("is not NaN when a time cannot be read", () => {
    const learning = { taskType: "x", confidence: 0.5, successRate: 0.5, updatedAt: "soon" };
    expect(relevance(learning, { taskType: "y", now })).toBeCloseTo(0.3);
  });
});

describe("the score of a query", () => {
  const learning = { type: "strategy" as LearningType, confidence: 0.8, successRate: 0.5, useCount: 9 };

  it.each([
    ["confidence × success × log of uses", learning, 0.4],
    ["an antipattern at half a success", { ...learning, type: "antipattern" as const, successRate: 0 }, 0.4],
    ["one never used as one used once", { ...learning, useCount: 0 }, 0.4 * Math.log10(2)],
    ["one used once", { ...learning, useCount: 1 }, 0.4 * Math.log10(2)],
    ["no confidence", { ...learning, confidence: 0 }, 0],
    ["no success", { ...learning, successRate: 0 }, 0],
  ])("counts %s", (_, scored, expected) => {
    expect(queryScore(scored)).toBeCloseTo(expected);
  });
});

function outcomes(successes: number, failures: number, weight = 1, baseRate = 0.5): CreditedOutcome[] {
  const outcome = (succeeded: boolean) => ({ succeeded, weight, baseRate });
  return [
    ...Array.from({ length: successes }, () => outcome(true)),
    ...Array.from({ length: failures }, () => outcome(false)),
  ];
}

describe("the lift that evidence bears out", () => {
  it.each([
    ["nothing is known", [], 0],
    ["one task succeeded", outcomes(1, 0), 0],
    ["three tasks succeeded", outcomes(3, 0), 0.15],
    ["it is shown everywhere and does nothing", outcomes(500, 500, 0.2), 0],
    ["nearly all tasks succeed anyway", outcomes(20, 0, 1, 0.9), 0.02],
    ["three tasks failed", outcomes(0, 3), -0.15],
    ["three tasks in which it was merely shown succeeded", outcomes(3, 0, 0.2), 0],
  ])("when %s", (_, given, expected) => {
    expect(evidenceLift(given)).toBeCloseTo(expected, 2);
  });

  it("is larger for twenty good tasks than for three", () => {
    expect(evidenceLift(outcomes(20, 0))).toBeGreaterThan(evidenceLift(outcomes(3, 0)));
  });

  it("counts fifteen showings as three uses", () => {
    expect(evidenceLift(outcomes(15, 0, 0.2))).toBeCloseTo(evidenceLift(outcomes(3, 0)));
  });

  it("never goes beyond what was seen, and one more success never lowers it", () => {
    const counts = fc.nat({ max: 60 });
    const weights = fc.constantFrom(0.2, 1);
    fc.assert(
      fc.property(counts, counts, weights, fc.integer({ min: 0, max: 100 }), (good, bad, weight, percent) => {
        const given = outcomes(good, bad, weight, percent / 100);
        const lift = evidenceLift(given);
        const seen = given.length === 0 ? 0 : good / given.length - percent / 100;
        expect(Math.abs(lift)).toBeLessThanOrEqual(Math.abs(seen) + 1e-9);
        if (Math.abs(lift) > 1e-9) expect(Math.sign(lift)).toBe(Math.sign(seen));
        expect(evidenceLift(outcomes(good + 1, bad, weight, percent / 100))).toBeGreaterThanOrEqual(
          lift - 1e-9,
        );
      }),
      { numRuns: 3000 },
    );
  });

  it("comes from bounds that enclose the rate and close in on it", () => {
    const wide = successBounds(2, 4);
    const narrow = successBounds(50, 100);
    expect(wide.lower).toBeLessThan(narrow.lower);
    expect(narrow.lower).toBeLessThan(0.5);
    expect(wide.upper).toBeGreaterThan(narrow.upper);
    expect(successBounds(0, 0)).toEqual({ lower: 0, upper: 1 });
  });
});
