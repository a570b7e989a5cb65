import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeContinuity } from "../../../src/working/merging/merge-continuity.js";

const section = (text: string) => `<!-- ralph:begin -->\n${text}\n<!-- ralph:end -->\n`;
const merge = (base: string, theirs: string, ours: string) =>
  mergeContinuity(Buffer.from(base), Buffer.from(theirs), Buffer.from(ours)).toString();

describe("merging a person's save of the continuity file", () => {
  it("keeps every byte of theirs outside the markers, and our section", () => {
    const base = `# Mine\n\n${section("old")}tail\n`;
    const theirs = `# Mine, renamed\n\n${section("old")}tail\nmore\n`;
    expect(merge(base, theirs, `# Mine\n\n${section("new")}tail\n`)).toBe(
      `# Mine, renamed\n\n${section("new")}tail\nmore\n`,
    );
  });

  it("keeps the section that was added to a file without one", () => {
    expect(merge("# Mine\n", "# Mine\ntheirs\n", `# Mine\n\n${section("new")}`)).toBe(
      `# Mine\n\n${section("new")}theirs\n`,
    );
  });

  it("puts our section where they moved it, once", () => {
    const merged = merge(`a\n${section("old")}b\n`, `a\nb\n${section("old")}`, `a\n${section("new")}b\n`);
    expect(merged.match(/ralph:begin/g)).toHaveLength(1);
    expect(merged).toContain("new");
    expect(merged.replace(section("new"), "")).toBe("a\nb\n");
  });

  it("gives the same file when done twice, with every line that either added", () => {
    const line = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "# h", "- i", "", "```\nj\n```");
    const text = fc.array(line, { maxLength: 10 }).map((lines) => lines.map((each) => `${each}\n`).join(""));
    const file = fc
      .tuple(text, fc.constantFrom("old", "new"), text)
      .map(([above, state, below]) => above + section(state) + below);
    fc.assert(
      fc.property(file, file, file, (base, theirs, ours) => {
        const merged = merge(base, theirs, ours);
        expect(merge(base, theirs, merged)).toBe(merged);
        const [old, now] = [base, merged].map((each) => new Set(each.split("\n")));
        const added = `${theirs}${ours}`
          .split("\n")
          .filter((each) => !old?.has(each) && each !== "" && !/^(?:old|new)$/.test(each));
        expect(added.filter((each) => !now?.has(each))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
