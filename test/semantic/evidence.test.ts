import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CreditedOutcome, evidenceLift, successBounds } from "../../src/semantic/evidence.js";

function outcomes(successes: number, failures: number, weight = 1, baseRate = 0.5): CreditedOutcome[] {
  const outcome = (succeeded: boolean) => ({ succeeded, weight, baseRate });
  return [
    ...Array.from({ length: successes }, () => outcome(true)),
    ...Array.from({ length: failures }, () => outcome(false)),
  ];
}

describe("the lift of a learning", () => {
  it.each([
    ["nothing is known", [], 0],
    ["one task succeeded", outcomes(1, 0), 0],
    ["three tasks succeeded", outcomes(3, 0), 0.15],
    ["it is shown everywhere and has no effect", outcomes(500, 500, 0.2), 0],
    ["nearly all tasks succeed anyway", outcomes(20, 0, 1, 0.9), 0.02],
    ["three tasks failed", outcomes(0, 3), -0.15],
    ["three tasks that were only shown it succeeded", outcomes(3, 0, 0.2), 0],
  ])("is as expected when %s", (_, given, expected) => {
    expect(evidenceLift(given)).toBeCloseTo(expected, 2);
  });

  it("is larger for twenty successful tasks than for three", () => {
    expect(evidenceLift(outcomes(20, 0))).toBeGreaterThan(evidenceLift(outcomes(3, 0)));
  });

  it("counts fifteen times shown as three uses", () => {
    expect(evidenceLift(outcomes(15, 0, 0.2))).toBeCloseTo(evidenceLift(outcomes(3, 0)));
  });

  it("never exceeds the observed lift, and another success never lowers it", () => {
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

  it("uses bounds that contain the rate and narrow with more trials", () => {
    const wide = successBounds(2, 4);
    const narrow = successBounds(50, 100);
    expect(wide.lower).toBeLessThan(narrow.lower);
    expect(narrow.lower).toBeLessThan(0.5);
    expect(wide.upper).toBeGreaterThan(narrow.upper);
    expect(successBounds(0, 0)).toEqual({ lower: 0, upper: 1 });
  });
});
