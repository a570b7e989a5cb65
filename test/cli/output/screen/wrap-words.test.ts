import { describe, expect, it } from "vitest";
import { rowsOf, shownLine } from "../../../../src/cli/output/run/run-lines.js";
import { displayWidth } from "../../../../src/cli/output/terminal/display-width.js";
import { wrapWords } from "../../../../src/cli/output/terminal/wrap.js";

describe("a line that is too long for the screen", () => {
  it("is broken between words, and keeps its indentation", () => {
    expect(wrapWords("one two three four", 9)).toEqual(["one two", "three", "four"]);
    expect(wrapWords("    at the end of it", 12)).toEqual(["    at the", "    end of", "    it"]);
    expect(rowsOf(shownLine("✗ iteration 1 failed", "bad", "  "), 14)).toEqual([
      "  ✗ iteration",
      "    1 failed",
    ]);
  });

  it.each([
    "x".repeat(50),
    "価格の合計は丸められていません",
    "🙂".repeat(30),
    "a🙂".repeat(20),
    "é".repeat(40),
  ])("is broken within a word only where that is too long, and loses nothing: %s", (word) => {
    for (let columns = 8; columns < 40; columns += 1) {
      const rows = wrapWords(`see ${word} here`, columns);
      expect(Math.max(...rows.map(displayWidth))).toBeLessThanOrEqual(columns);
      expect(rows.join("").replaceAll(" ", "")).toBe(`see${word}here`);
      expect(rows.join("").isWellFormed()).toBe(true);
    }
  });
});
