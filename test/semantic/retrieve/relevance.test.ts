import { describe, expect, it } from "vitest";
import { relevance } from "../../../src/semantic/retrieve/relevant-knowledge.js";

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

  it("is not NaN for an invalid timestamp", () => {
    const learning = { taskType: "x", confidence: 0.5, successRate: 0.5, updatedAt: "soon" };
    expect(relevance(learning, { taskType: "y", now })).toBeCloseTo(0.3);
  });
});
