import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Learning, SourceFigures } from "../../../src/domain/knowledge/learning.js";
import { combineWays } from "../../../src/semantic/merge/agreed-habit.js";
import { mergeLearnings } from "../../../src/semantic/merge/merge-learnings.js";

interface Cases {
  day: number;
  beside: number;
  apart: number;
  other: number;
}

const count = fc.nat({ max: 4 });
const anyCases: fc.Arbitrary<Cases> = fc.record({
  day: fc.integer({ min: 10, max: 28 }),
  beside: count,
  apart: count,
  other: count,
});

function sourceOf({ day, ...ways }: Cases): SourceFigures {
  const told = Object.entries(ways).filter(([, cases]) => cases > 0);
  return {
    ...{ confidence: 0.7, successRate: 1, count: 1, at: `2026-01-${day}T00:00:00.000Z` },
    ways: Object.fromEntries(told.map(([name, cases]) => [name, { cases, example: `${name}-${day}.ts` }])),
  };
}

/** A convention that these tasks show. */
function habit(id: string, tasks: readonly Cases[]): Learning {
  const sources = Object.fromEntries(tasks.map((cases) => [`cases of task-${cases.day}`, sourceOf(cases)]));
  const combined = combineWays(Object.values(sources));
  return {
    ...{ id, type: "convention", taskType: "general", successRate: 1, sourceLoops: [], useCount: 0 },
    ...{ createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
    content: { subject: "tests .ts", ...combined?.content },
    confidence: combined?.confidence ?? 0,
    merged: { wordingConfidence: 0.7, sources, uses: {} },
  };
}

const anyHabit = fc.uniqueArray(anyCases, { selector: ({ day }) => day, minLength: 1, maxLength: 14 });

describe("habits of two stores", () => {
  it("are one habit, whichever comes first", () => {
    fc.assert(
      fc.property(anyHabit, anyHabit, (here, there) => {
        const [one, other] = [habit("learn-a", here), habit("learn-b", there)];
        const merged = mergeLearnings(one, other);
        expect(mergeLearnings(other, one)).toEqual(merged);
        expect(mergeLearnings(merged, other)).toEqual(merged);
        const { content, confidence } = combineWays(Object.values(merged.merged?.sources ?? {})) ?? {};
        expect(merged).toMatchObject({ content: { ...content, subject: "tests .ts" }, confidence });
      }),
    );
  });

  it("are told by the tasks of late, with examples of what they agree on", () => {
    const early = Array.from({ length: 6 }, (_, day) => ({ day: 10 + day, beside: 2, apart: 0, other: 0 }));
    const late = Array.from({ length: 8 }, (_, day) => ({ day: 20 + day, beside: 0, apart: 1, other: 0 }));
    expect(mergeLearnings(habit("learn-a", early), habit("learn-b", late)).content).toEqual({
      subject: "tests .ts",
      pattern: "apart (8 of 12)",
      examples: ["apart-27.ts", "apart-26.ts", "apart-25.ts"],
    });
  });
});
