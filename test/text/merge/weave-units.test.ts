import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinUnits, linesAsUnits, rawLinesOf } from "../../../src/text/merge/lines-as-units.js";
import { weaveUnits } from "../../../src/text/merge/weave-units.js";
import { growsLinearly } from "../../support/grows-linearly.js";

const unitsOf = (text: string) => linesAsUnits(rawLinesOf(text));
const merge = (base: string | undefined, theirs: string, ours: string) =>
  joinUnits(weaveUnits(base === undefined ? undefined : unitsOf(base), unitsOf(theirs), unitsOf(ours)));

const line = fc.constantFrom("a", "b", "c", "d", "", "# e", "f");
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.map((each) => `${each}\n`).join(""));

describe("merging two versions of a text", () => {
  it.each([
    ["1\n2\n3\n", "1\n2\n3\ntheirs\n", "1\nours\n2\n3\n", "1\nours\n2\n3\ntheirs\n"],
    ["1\n2\n3\n", "1\n3\n", "1\n2\n3\nours\n", "1\n3\nours\n"],
    ["1\n2\n3\n", "1\n2\ntheirs\n3\n", "1\n2\nours\n3\n", "1\n2\nours\ntheirs\n3\n"],
    ["1\n2", "1\n2\ntheirs", "ours\n1\n2", "ours\n1\n2\ntheirs"],
    ["1\n2", "1\n2\ntheirs\n", "1\n2\n\nours\n", "1\n2\n\nours\ntheirs\n"],
    ["1\n2\n", "1\r\n2\r\n", "1\n2\nours\n", "1\r\n2\r\nours\n"],
    ["1\n", "1\ntheirs\n\nlater\n", "1\ntheirs\nours\n", "1\ntheirs\nours\n\nlater\n"],
    [undefined, "theirs\n", "ours\n", "ours\ntheirs\n"],
  ])("%j with %j and %j is %j", (base, theirs, ours, expected) => {
    expect(merge(base, theirs, ours)).toBe(expected);
  });

  it.each([
    ["a line that they moved", "1\n2\n3\n", "2\n3\n1\n", "1\n2\nours\n3\n", "2\nours\n3\n1\n"],
    ["a line that both moved", "1\n2\n3\n4\n", "2\n3\n1\n4\n", "2\n3\n4\n1\n", "2\n3\n1\n4\n"],
    ["a line that they moved and we removed", "1\n2\n3\n", "2\n3\n1\n", "2\n3\n", "2\n3\n"],
    ["equal lines of both in two places", "1\n2\n", "1\n-\n2\n", "1\n2\n-\n", "1\n-\n2\n-\n"],
    ["equal lines of both in one place", "1\n2\n", "1\n-\n2\n", "1\n-\n2\n", "1\n-\n2\n"],
    ["theirs above our new section", "1\n", "1\ntheirs\n", "1\n\n## Ours\n", "1\ntheirs\n\n## Ours\n"],
    ["code of both", "1\n", "1\n```\na\n```\n", "1\n```\nb\n```\n", "1\n```\nb\n```\n```\na\n```\n"],
  ])("settles %s, also when done again", (_, base, theirs, ours, expected) => {
    const merged = merge(base, theirs, ours);
    expect(merged).toBe(expected);
    expect(merge(base, theirs, merged)).toBe(merged);
  });

  it("changes nothing when one of them is the base, or both are the same", () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        expect(merge(base, other, base)).toBe(other);
        expect(merge(base, base, other)).toBe(other);
        expect(merge(base, other, other)).toBe(other);
      }),
    );
  });

  it("keeps every line that either added, and is the same when done again", () => {
    // Of lines that are all the same, nobody can tell which one was added.
    const added = fc.uniqueArray(fc.tuple(fc.nat(), fc.nat({ max: 999 })), {
      selector: ([, number]) => number,
      maxLength: 6,
    });
    const insert = (base: string, name: string, places: [number, number][]) => {
      const lines = base.split("\n").slice(0, -1);
      for (const [at, number] of places) lines.splice(at % (lines.length + 1), 0, `${name} ${number}`);
      return lines.map((each) => `${each}\n`).join("");
    };
    fc.assert(
      fc.property(text, added, added, (base, forTheirs, forOurs) => {
        const [theirs, ours] = [insert(base, "their", forTheirs), insert(base, "our", forOurs)];
        const merged = merge(base, theirs, ours);
        const countOf = (all: string, each: string) =>
          all.split("\n").filter((found) => found === each).length;
        for (const each of new Set(
          `${theirs}${ours}`.split("\n").filter((found) => /^(?:their|our) /.test(found)),
        ))
          expect(countOf(merged, each)).toBe(countOf(each.startsWith("our") ? ours : theirs, each));
        expect(merge(base, theirs, merged)).toBe(merged);
      }),
      { numRuns: 1000 },
    );
  });

  it("keeps 200,000 lines that were added at one place", () => {
    const added = "theirs\n".repeat(200_000);
    expect(merge("1\n2\n", `1\n${added}2\n`, "ours\n1\n2\n") === `ours\n1\n${added}2\n`).toBe(true);
  });

  it("takes a time that grows with the text", () => {
    const numbered = (count: number) =>
      Array.from({ length: count }, (_, index) => `${index % 7 === 0 ? index : ""}\n`).join("");
    const work = (size: number) => merge(undefined, numbered(size), `first\n${numbered(size)}last\n`);
    expect(growsLinearly(work, 100_000)).toBe(true);
  });
});
