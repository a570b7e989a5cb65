import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitIntoBudget } from "../../../src/text/tokens/budget.js";

const section = fc.record({
  entries: fc.array(
    fc.nat({ max: 300 }).map((tokens) => ({ tokens: tokens + 1 })),
    { maxLength: 30 },
  ),
  headingTokens: fc.nat({ max: 10 }),
  share: fc.integer({ min: 1, max: 5 }),
});
const sections = fc.array(section, { minLength: 1, maxLength: 5 });

describe("a budget", () => {
  it("is never exceeded, headings included", () => {
    fc.assert(
      fc.property(sections, fc.nat({ max: 3000 }), (given, budget) => {
        const spent = fitIntoBudget(given, budget).reduce((sum, chosen, index) => {
          const heading = chosen.length > 0 ? (given[index]?.headingTokens ?? 0) : 0;
          return sum + heading + chosen.reduce((tokens, entry) => tokens + entry.tokens, 0);
        }, 0);
        expect(spent).toBeLessThanOrEqual(budget);
      }),
      { numRuns: 1000 },
    );
  });

  it("takes everything when everything fits, in order", () => {
    fc.assert(
      fc.property(sections, (given) => {
        expect(fitIntoBudget(given, Number.POSITIVE_INFINITY)).toEqual(given.map(({ entries }) => entries));
      }),
    );
  });

  it("leaves no section empty while another one is full", () => {
    const many = Array.from({ length: 50 }, () => ({ tokens: 10 }));
    const few = [{ tokens: 10 }];
    const [first, second] = fitIntoBudget(
      [
        { entries: many, headingTokens: 1, share: 1 },
        { entries: few, headingTokens: 1, share: 1 },
      ],
      100,
    );
    expect(second).toHaveLength(1);
    expect(first).toHaveLength(8);
  });

  it("passes over an entry that is too large and takes the next", () => {
    const entries = [{ tokens: 500 }, { tokens: 5 }];
    expect(fitIntoBudget([{ entries, headingTokens: 0, share: 1 }], 100)).toEqual([[{ tokens: 5 }]]);
  });
});
