import { describe, expect, it } from "vitest";
import type { LearningType } from "../../../src/domain/knowledge/learning.js";
import { queryScore } from "../../../src/semantic/records/write-learning.js";

describe("the score of a query", () => {
  const learning = { type: "strategy" as LearningType, confidence: 0.8, successRate: 0.5, useCount: 9 };

  it.each([
    ["confidence × success × log of uses", learning, 0.4],
    ["an antipattern at half a success", { ...learning, type: "antipattern" as const, successRate: 0 }, 0.4],
    ["one never used like one used once", { ...learning, useCount: 0 }, 0.4 * Math.log10(2)],
    ["one used once", { ...learning, useCount: 1 }, 0.4 * Math.log10(2)],
    ["no confidence", { ...learning, confidence: 0 }, 0],
    ["no success", { ...learning, successRate: 0 }, 0],
  ])("counts %s", (_, scored, expected) => {
    expect(queryScore(scored)).toBeCloseTo(expected);
  });
});
