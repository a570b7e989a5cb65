import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ExtractedLearning,
  type Learning,
  learningTypes,
} from "../../../src/domain/knowledge/learning.js";
import { mergeLearnings, strengthenLearning } from "../../../src/semantic/merge/merge-learnings.js";

function learning(fields: Partial<Learning> = {}): Learning {
  return {
    id: "learn-00000001",
    type: "strategy",
    taskType: "test-fix",
    content: { description: "Write tests first", effectiveness: 0.8, iterations: 4 },
    confidence: 0.6,
    sourceLoops: ["ralph-001"],
    createdAt: "2026-02-01T00:00:00.000Z",
    updatedAt: "2026-02-01T00:00:00.000Z",
    useCount: 2,
    successRate: 0.8,
    ...fields,
  };
}

describe("merging two learnings about the same thing", () => {
  const one = learning();
  const other = learning({
    id: "learn-00000002",
    content: { description: "Begin with the tests", effectiveness: 1, iterations: 12 },
    confidence: 0.7,
    sourceLoops: ["ralph-002"],
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-03-01T00:00:00.000Z",
    useCount: 3,
    successRate: 1,
  });

  it("keeps the id and wording of the more confident one and combines the rest", () => {
    expect(mergeLearnings(one, other)).toMatchObject({
      id: "learn-00000002",
      content: { description: "Begin with the tests", effectiveness: 0.95, iterations: 16 },
      sourceLoops: ["ralph-001", "ralph-002"],
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-03-01T00:00:00.000Z",
      useCount: 5,
      successRate: 0.95,
    });
  });

  it("raises confidence, up to the maximum of the type", () => {
    expect(mergeLearnings(one, other).confidence).toBeCloseTo(1 - 0.3 * (1 - 0.6 / 4));
    const many = Array.from({ length: 50 }, (_, index) => learning({ sourceLoops: [`ralph-${index}`] }));
    expect(many.reduce(mergeLearnings).confidence).toBe(0.9);
    const certain = learning({ confidence: 0.97 });
    expect(mergeLearnings(certain, other).confidence).toBe(0.97);
  });

  it("keeps a confidence of 0", () => {
    const guess = { confidence: 0 };
    expect(mergeLearnings(learning(guess), learning({ ...guess, sourceLoops: ["b"] })).confidence).toBe(0);
  });

  it("counts a shared source once", () => {
    const both = mergeLearnings(mergeLearnings(one, other), learning({ id: "learn-3", useCount: 0 }));
    expect(both).toEqual(mergeLearnings(one, other));
  });

  it("keeps the success rate of antipatterns at 0 and adds up their occurrences", () => {
    const antipattern = (loop: string) =>
      learning({
        type: "antipattern",
        content: { description: "Avoid: x", occurrences: 2, impact: "high" },
        sourceLoops: [loop],
        successRate: 0,
      });
    expect(mergeLearnings(antipattern("a"), antipattern("b"))).toMatchObject({
      content: { occurrences: 4 },
      successRate: 0,
    });
  });

  it("averages estimates", () => {
    const estimate = (loop: string, time: number, iterations: number) =>
      learning({
        type: "estimate",
        content: { avgIterationTime: time, totalIterations: iterations, complexity: "low", successRate: 1 },
        sourceLoops: [loop],
        successRate: 1,
      });
    expect(mergeLearnings(estimate("a", 40_000, 1), estimate("b", 20_000, 2)).content).toEqual({
      avgIterationTime: 30_000,
      totalIterations: 1.5,
      complexity: "low",
      successRate: 1,
    });
  });

  it("counts a use after the merge as a use of the merged one", () => {
    const merged = mergeLearnings(one, other);
    expect(mergeLearnings({ ...merged, useCount: merged.useCount + 1 }, one).useCount).toBe(6);
  });

  it("keeps all conditions and episodes, and the longest advice", () => {
    const merged = mergeLearnings(
      learning({ conditions: ["b"], source_episodes: ["ep-2"], correct_approach: "Short" }),
      learning({ id: "x", conditions: ["a"], source_episodes: ["ep-1"], correct_approach: "Longer advice" }),
    );
    expect(merged).toMatchObject({
      conditions: ["a", "b"],
      source_episodes: ["ep-1", "ep-2"],
      correct_approach: "Longer advice",
    });
  });
});

describe("finding a learning again", () => {
  const known = learning();
  const found: ExtractedLearning = {
    type: "strategy",
    taskType: "test-fix",
    content: { description: "Tests come first", effectiveness: 1, iterations: 2 },
    confidence: 0.9,
    sourceLoops: ["ralph-007"],
    successRate: 1,
  };

  it("strengthens it and keeps its id", () => {
    expect(strengthenLearning(known, found, "2026-04-01T00:00:00.000Z")).toMatchObject({
      id: known.id,
      sourceLoops: ["ralph-001", "ralph-007"],
      content: { description: "Tests come first", iterations: 6 },
      createdAt: known.createdAt,
      updatedAt: "2026-04-01T00:00:00.000Z",
      useCount: 2,
    });
  });

  it("changes nothing for the same finding of the same loop", () => {
    const now = "2026-04-01T00:00:00.000Z";
    const strengthened = strengthenLearning(known, found, now);
    expect(strengthenLearning(strengthened, found, "2026-05-01T00:00:00.000Z")).toBe(strengthened);
  });
});

const share = fc.integer({ min: 0, max: 20 }).map((twentieth) => twentieth / 20);
const names = fc.constantFrom("a", "b", "c", "d", "constructor", "7");
const texts = fc.constantFrom("Write tests first", "Tests come first", "Begin with tests");
const day = fc.integer({ min: 10, max: 28 }).map((date) => `2026-01-${date}T00:00:00.000Z`);

function arbitraryOf(type: Learning["type"]): fc.Arbitrary<Learning> {
  return fc.record(
    {
      id: names.map((name) => `learn-${name}`),
      type: fc.constant(type),
      taskType: fc.constantFrom("test-fix", "general"),
      content: fc.record(
        {
          description: texts,
          iterations: fc.nat({ max: 9 }),
          totalIterations: fc.nat({ max: 9 }),
          avgIterationTime: fc.nat({ max: 9000 }),
          examples: fc.uniqueArray(names, { maxLength: 2 }).map((list) => list.sort()),
        },
        { requiredKeys: ["description"] },
      ) as fc.Arbitrary<Learning["content"]>,
      confidence: share,
      sourceLoops: fc.uniqueArray(names, { maxLength: 3 }),
      createdAt: day,
      updatedAt: day,
      useCount: fc.nat({ max: 9 }),
      successRate: share,
      conditions: fc.uniqueArray(names, { maxLength: 3 }).map((list) => list.sort()),
      correct_approach: texts,
      last_used: day,
    },
    {
      requiredKeys: [
        "id",
        "type",
        "taskType",
        "content",
        "confidence",
        "sourceLoops",
        "createdAt",
        "updatedAt",
        "useCount",
        "successRate",
      ],
    },
  );
}

const several = (count: number) =>
  fc
    .constantFrom(...learningTypes)
    .chain((type) => fc.array(arbitraryOf(type), { minLength: count, maxLength: count }));

describe("merging any learnings", () => {
  it("is commutative", () => {
    fc.assert(
      fc.property(several(2), ([one, other]) => {
        if (one === undefined || other === undefined) return;
        expect(mergeLearnings(one, other)).toEqual(mergeLearnings(other, one));
      }),
      { numRuns: 2000 },
    );
  });

  it("is associative", () => {
    fc.assert(
      fc.property(several(3), ([one, other, third]) => {
        if (one === undefined || other === undefined || third === undefined) return;
        expect(mergeLearnings(mergeLearnings(one, other), third)).toEqual(
          mergeLearnings(one, mergeLearnings(other, third)),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it("is idempotent, also with a part that was merged before", () => {
    fc.assert(
      fc.property(several(2), ([one, other]) => {
        if (one === undefined || other === undefined) return;
        expect(mergeLearnings(one, one)).toEqual(one);
        const merged = mergeLearnings(one, other);
        expect(mergeLearnings(merged, one)).toEqual(merged);
        expect(mergeLearnings(other, merged)).toEqual(merged);
        expect(mergeLearnings(merged, merged)).toEqual(merged);
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps confidence and success between 0 and 1", () => {
    fc.assert(
      fc.property(several(2), ([one, other]) => {
        if (one === undefined || other === undefined) return;
        const merged = mergeLearnings(one, other);
        expect(merged.confidence).toBeLessThanOrEqual(1);
        expect(merged.successRate).toBeGreaterThanOrEqual(0);
        expect(merged.successRate).toBeLessThanOrEqual(1);
      }),
    );
  });
});
