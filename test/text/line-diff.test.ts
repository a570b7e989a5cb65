import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines } from "../../src/text/line-diff.js";

const text = (...lines: string[]) => `${lines.join("\n")}\n`;

describe("the difference of two texts", () => {
  it("is the lines that were replaced, without those around them", () => {
    expect(diffLines(text("a", "b", "c"), text("a", "B", "c"))).toEqual([{ removed: ["b"], added: ["B"] }]);
    expect(diffLines(text("a", "c"), text("a", "b", "c"))).toEqual([{ removed: [], added: ["b"] }]);
    expect(diffLines(text("a", "b"), text("a"))).toEqual([{ removed: ["b"], added: [] }]);
    expect(diffLines("", text("a", "b"))).toEqual([{ removed: [], added: ["a", "b"] }]);
    expect(diffLines(text("a"), "a")).toEqual([]);
  });

  it("has a hunk for each place, and one for places next to each other", () => {
    expect(diffLines(text("1", "x", "y", "z", "2"), text("one", "x", "y", "z", "two"))).toEqual([
      { removed: ["1"], added: ["one"] },
      { removed: ["2"], added: ["two"] },
    ]);
    expect(diffLines(text("1", "x", "2"), text("one", "x", "two"))).toEqual([
      { removed: ["1", "x", "2"], added: ["one", "x", "two"] },
    ]);
  });

  it("is found in long texts, too", () => {
    const long = Array.from({ length: 2000 }, (_, index) => `line ${index}`);
    expect(diffLines(text(...long), text(...long.toSpliced(700, 1, "other")))).toEqual([
      { removed: ["line 700"], added: ["other"] },
    ]);
    const [hunk] = diffLines(text(...long), text(...long.toReversed()));
    expect(hunk?.removed.length).toBeGreaterThan(1000);
  });

  it("replaces exactly what differs, whatever the texts are", () => {
    const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const hunks = diffLines(text("start", ...before, "end"), text("start", ...after, "end"));
        const grown = hunks.reduce((sum, { removed, added }) => sum + added.length - removed.length, 0);
        expect(grown).toBe(after.length - before.length);
        expect(hunks.length === 0).toBe(before.join("\n") === after.join("\n") && grown === 0);
      }),
    );
  });
});
