import { describe, expect, it } from "vitest";
import { toldDifference, toldValue } from "../../src/ui/views/measure-words.js";

describe("a figure of two groups", () => {
  it("is told with its unit", () => {
    expect(toldValue(0.694, "share")).toBe("69 %");
    expect(toldValue(3.888, "count")).toBe("3.89");
    expect(toldValue(430.4, "seconds")).toBe("430 s");
    expect(toldValue(undefined, "count")).toBe("–");
  });

  it("differs by points, by a number or by seconds, each with its interval and its sign", () => {
    const compared = { baseline: { n: 9 }, treatment: { n: 9 }, verdict: "better" } as const;
    expect(toldDifference({ ...compared, difference: 0.31, interval: [0.08, 0.58] }, "share")).toBe(
      "+31 points [+8, +58]",
    );
    expect(toldDifference({ ...compared, difference: -2.061, interval: [-3.59, 0] }, "count")).toBe(
      "−2.06 [−3.59, 0]",
    );
    expect(toldDifference({ ...compared, difference: -244.4, interval: [-422, 12] }, "seconds")).toBe(
      "−244 s [−422, +12]",
    );
  });

  it("does not differ if there are too few tasks", () => {
    const few = { baseline: { n: 1 }, treatment: { n: 1 }, verdict: "too few tasks to tell" } as const;
    expect(toldDifference({ ...few, difference: 1, interval: [0, 2] }, "count")).toBeUndefined();
  });
});
