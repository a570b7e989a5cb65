import { describe, expect, it } from "vitest";
import { notesLimits } from "../../src/domain/knowledge/note.js";
import { parseNotes } from "../../src/notes/parse.js";
import { joinRanges } from "./notes-file-arbitrary.js";

const today = "2026-01-02";
const parse = (text: string) => parseNotes(Buffer.from(text), { today });
const note = (id: number) => `### mem-${id}-abcd\n> kettle\n<!-- tags: t | created: 2025-01-20 -->\n\n`;
const cuts = ({ conflicts }: ReturnType<typeof parse>) => conflicts.filter(({ isCut }) => isCut);

describe("a notes file that is very large", () => {
  it("is read to its end through a million empty lines, which keep their bytes", () => {
    const text = `## Fixes\n${"\n".repeat(1_000_000)}${note(1)}`;
    const document = parse(text);
    expect(document.blocks.map(({ note: { id }, line }) => [id, line])).toEqual([["mem-1-abcd", 1_000_002]]);
    expect(cuts(document)).toEqual([]);
    expect(joinRanges(document).equals(Buffer.from(text))).toBe(true);
  });

  it("is read up to so many notes, and says from where on it is not", () => {
    const { notes } = notesLimits;
    const document = parse(Array.from({ length: notes + 2 }, (_, index) => note(index)).join(""));
    expect(document.blocks).toHaveLength(notes);
    expect(cuts(document)).toMatchObject([{ line: notes * 4 + 1, message: /nothing below is read/ }]);
  });

  it("is read up to so many lines of notes", () => {
    const document = parse(`${note(1)}### mem-2-abcd\n${">\n".repeat(notesLimits.lines)}`);
    expect(document.blocks.map(({ note: { id } }) => id)).toEqual(["mem-1-abcd", "mem-2-abcd"]);
    expect(cuts(document)).toHaveLength(1);
  });

  it("has no half a line at the end of its beginning", () => {
    const start = Buffer.from(`${note(1)}### mem-2-abcd\n> a kettle that is not wh`);
    const document = parseNotes(start, { today, fileBytes: 20_000_000 });
    expect(document.blocks.map(({ note: { id } }) => id)).toEqual(["mem-1-abcd"]);
    expect(cuts(document)).toMatchObject([{ message: /it has 20 MB/ }]);
  });

  it("tells the first of its problems, and how many there are besides", () => {
    const { problems } = parse("### mem-1\n".repeat(notesLimits.problems + 5));
    expect(problems).toHaveLength(notesLimits.problems + 1);
    expect(problems.at(-1)).toEqual({ line: notesLimits.problems + 1, message: "5 more, from here on" });
  });

  it("takes no longer for fences that nothing closes, each shorter than the one before", () => {
    const fences = Array.from({ length: 2000 }, (_, index) => `${"`".repeat(2003 - index)}js\n`).join("");
    expect(parse(fences + ">\n".repeat(400_000) + note(1)).blocks).toHaveLength(1);
  });

  it("takes no longer for a quote below the metadata that has many lines", () => {
    const head = "### mem-1-abcd\n<!-- tags: t | created: 2025-01-20 -->\n";
    const [block] = parse(head + ">\n".repeat(300_000)).blocks;
    expect(block?.content).toHaveLength(300_000);
  });

  it("takes a thousand tags of a note", () => {
    const [block] = parse(
      `### mem-1-abcd\n> kettle\n<!-- tags: ${"a, ".repeat(100_000)}b | created: 2025-01-20 -->\n`,
    ).blocks;
    expect(block?.note.tags).toHaveLength(notesLimits.tags);
  });
});
