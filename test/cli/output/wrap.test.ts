import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitDiff, wrapLines } from "../../../src/cli/output/terminal/wrap.js";

describe("text on a screen", () => {
  it("is broken between words, and goes on below its beginning", () => {
    expect(wrapLines("  Reason: the test waits for a button\n", 20)).toBe(
      "  Reason: the test\n    waits for a\n    button\n",
    );
    expect(wrapLines("Why:    it was renamed in the release\n", 24)).toBe(
      "Why:    it was renamed\n        in the release\n",
    );
  });

  it("keeps what fits, what has no spaces, and what is drawn over", () => {
    expect(wrapLines("short\n", 20)).toBe("short\n");
    expect(wrapLines(`see ${"x".repeat(30)} there\n`, 20)).toBe(`see\n${"x".repeat(30)}\nthere\n`);
    expect(wrapLines("\rIndexing notes: 1000 of 2000\n", 10)).toBe("\rIndexing notes: 1000 of 2000\n");
  });

  it("counts no color as width", () => {
    expect(wrapLines("\u001b[1;31mError\u001b[0m: a b c\n", 12)).toBe("\u001b[1;31mError\u001b[0m: a b c\n");
    expect(wrapLines("\u001b[2mWHY\u001b[0m  it was renamed\n", 12)).toBe(
      "\u001b[2mWHY\u001b[0m  it was\n     renamed\n",
    );
  });

  it("never loses or splits a word", () => {
    const words = fc.array(fc.stringMatching(/^[a-z,.]{1,12}$/), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(words, fc.integer({ min: 5, max: 60 }), (given, width) => {
        const lines = wrapLines(given.join(" "), width).split("\n");
        expect(lines.flatMap((line) => line.trim().split(/ +/))).toEqual(given);
        for (const line of lines) expect(line.length <= width || !line.trim().includes(" ")).toBe(true);
      }),
    );
  });
});

it("a long line of a diff continues on lines with the same sign", () => {
  const diff = "settings.json (new)\n  {\n+   a command with many words in it\n- gone\n";
  expect(fitDiff(diff, 20)).toBe(
    "settings.json (new)\n  {\n+   a command with\n+     many words in\n+     it\n- gone\n",
  );
});
