import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { validateLearning } from "../../../src/semantic/staging/validate-learning.js";

const good = {
  type: "strategy",
  taskType: "test-fix",
  content: { description: "Write tests first" },
  confidence: 0.85,
  sourceLoops: ["ralph-001"],
  successRate: 0.85,
};

describe("a learning", () => {
  it.each([
    ["a good one", good],
    ["one at the edges", { ...good, confidence: 0.3, successRate: 0.5 }],
    ["an antipattern", { ...good, type: "antipattern", successRate: 0.2 }],
    ["a convention", { ...good, type: "convention", successRate: 1, confidence: 1 }],
    ["an estimate", { ...good, type: "estimate", successRate: 0 }],
    ["one of another tool's task type", { ...good, taskType: "migration" }],
  ])("passes: %s", (_, learning) => {
    expect(validateLearning(learning)).toEqual({ valid: true });
  });

  it.each([
    [{ ...good, type: "" }, "Missing required fields"],
    [{ ...good, taskType: undefined }, "Missing required fields"],
    [{ ...good, content: undefined }, "Missing required fields"],
    [{ ...good, content: "text" }, "Missing required fields"],
    [null, "Missing required fields"],
    ["text", "Missing required fields"],
    [{ ...good, type: "magic" }, "Invalid type: magic"],
    [{ ...good, type: "fact" }, "Invalid type: fact"],
    [{ ...good, confidence: 1.7 }, "Confidence must be between 0 and 1"],
    [{ ...good, confidence: -0.1 }, "Confidence must be between 0 and 1"],
    [{ ...good, confidence: Number.NaN }, "Confidence must be between 0 and 1"],
    [{ ...good, confidence: "0.8" }, "Confidence must be between 0 and 1"],
    [{ ...good, confidence: undefined }, "Confidence must be between 0 and 1"],
    [{ ...good, successRate: 2 }, "Success rate must be between 0 and 1"],
    [{ ...good, successRate: Number.NaN }, "Success rate must be between 0 and 1"],
    [{ ...good, successRate: undefined }, "Success rate must be between 0 and 1"],
    [{ ...good, confidence: 0 }, "Confidence too low (< 0.3)"],
    [{ ...good, confidence: 0.29 }, "Confidence too low (< 0.3)"],
    [{ ...good, type: "antipattern", successRate: 0.21 }, "Anti-patterns should have low success rate"],
    [{ ...good, successRate: 0.49 }, "Strategies should have success rate >= 0.5"],
  ])("%j is rejected: %s", (learning, reason) => {
    expect(validateLearning(learning)).toEqual({ valid: false, reason });
  });

  it("passes only with confidence and success rate between 0 and 1", () => {
    const anything = fc.oneof(fc.double(), fc.anything());
    fc.assert(
      fc.property(anything, anything, (confidence, successRate) => {
        if (!validateLearning({ ...good, confidence, successRate }).valid) return;
        expect(confidence).toBeGreaterThanOrEqual(0.3);
        expect(confidence).toBeLessThanOrEqual(1);
        expect(successRate).toBeGreaterThanOrEqual(0.5);
        expect(successRate).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1000 },
    );
  });
});
