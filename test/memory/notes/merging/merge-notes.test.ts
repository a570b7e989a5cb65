import { describe, expect, it } from "vitest";
import { mergeNotes } from "../../../../src/memory/notes/merging/merge-notes.js";
import { parseNotes } from "../../../../src/notes/parse.js";

const note = (id: string, text: string) =>
  `### mem-1700000000-${id}\n> ${text}\n<!-- tags: a | created: 2023-11-14 -->\n`;
const file = (...parts: string[]) => `# Memories\n\n## Patterns\n\n${parts.join("\n")}`;
const shelf = { clock: () => new Date("2026-01-01T00:00:00Z"), random: () => "beef" };

const merge = (base: string | undefined, theirs: string, ours: string) =>
  mergeNotes(
    shelf,
    base === undefined ? undefined : Buffer.from(base),
    Buffer.from(theirs),
    Buffer.from(ours),
  ).toString();
const notesOf = (text: string) =>
  parseNotes(Buffer.from(text), { today: "2026-01-01" }).blocks.map((block) => block.note);

const [one, two, three] = [note("0001", "one"), note("0002", "two"), note("0003", "three")];

describe("merging a person's save of a notes file", () => {
  it("keeps new notes of both", () => {
    const merged = merge(file(one), file(one, two), file(three, one));
    expect(notesOf(merged).map(({ content }) => content)).toEqual(["three", "one", "two"]);
    for (const each of [one, two, three]) expect(merged).toContain(each);
  });

  it.each([
    ["prose between notes", `${"prose\n".repeat(200_000)}${two}`],
    ["a note", note("0002", Array(200_000).fill("line").join("\n> "))],
  ])("keeps 200,000 lines of %s", (_, added) => {
    expect(merge(file(one), file(one, added), file(three, one)) === file(three, one, added)).toBe(true);
  });

  it("keeps their edit, their deletion and their prose beside our note", () => {
    const edited = note("0001", "ONE, edited");
    const merged = merge(file(one, two), file(edited, "prose of theirs\n"), file(three, one, two));
    expect(notesOf(merged).map(({ content }) => content)).toEqual(["three", "ONE, edited"]);
    expect(merged).toContain("prose of theirs\n");
  });

  it("keeps both texts of a note that both edited: theirs under its id, ours under a new one", () => {
    const merged = merge(
      file(one, two),
      file(note("0001", "their text"), two),
      file(note("0001", "our text"), two),
    );
    expect(notesOf(merged).map(({ id, content }) => [id, content])).toEqual([
      ["mem-1700000000-0001", "their text"],
      ["mem-1767225600-beef", "our text"],
      ["mem-1700000000-0002", "two"],
    ]);
    expect(merge(file(one, two), file(note("0001", "their text"), two), merged)).toBe(merged);
  });

  it("keeps a note that one deleted and the other edited", () => {
    const edited = note("0001", "edited");
    expect(
      notesOf(merge(file(one, two), file(two), file(edited, two))).map(({ content }) => content),
    ).toContain("edited");
    expect(
      notesOf(merge(file(one, two), file(edited, two), file(two))).map(({ content }) => content),
    ).toContain("edited");
  });

  it("moves a note with them, once, also if we edited it", () => {
    const sections = (patterns: string, fixes: string) =>
      `# Memories\n\n## Patterns\n\n${patterns}\n## Fixes\n\n${fixes}`;
    const moved = sections(two, one);
    expect(merge(sections(`${one}\n${two}`, ""), moved, sections(`${one}\n${two}`, ""))).toBe(moved);
    const edited = note("0001", "edited");
    const merged = merge(sections(`${one}\n${two}`, ""), moved, sections(`${edited}\n${two}`, ""));
    expect(
      notesOf(merged)
        .map(({ content }) => content)
        .sort(),
    ).toEqual(["edited", "two"]);
  });

  it("keeps a note that one moved to another section and the other deleted, where it was moved to", () => {
    const sections = (patterns: string[], fixes: string[]) =>
      `# Memories\n\n## Patterns\n${patterns.map((each) => `\n${each}`).join("")}\n## Fixes\n${fixes.map((each) => `\n${each}`).join("")}`;
    const base = sections([one, two], [three]);
    const [moved, deleted] = [sections([two], [one, three]), sections([two], [three])];
    expect(merge(base, moved, deleted)).toBe(moved);
    expect(merge(base, deleted, moved)).toBe(moved);
  });

  it("deletes a note with one of them that the other only moved within its section", () => {
    expect(merge(file(one, two, three), file(two, three, one), file(two, three))).toBe(file(two, three));
    expect(merge(file(one, two, three), file(two, three), file(two, three, one))).toBe(file(two, three));
  });

  it("has a note that both moved where they moved it, with ours beside it if both edited it", () => {
    const sections = (patterns: string, fixes: string, context: string) =>
      `## Patterns\n${patterns}\n## Fixes\n${fixes}\n## Context\n${context}`;
    const [mine, yours] = [note("0001", "mine"), note("0001", "yours")];
    const base = sections(`\n${one}`, "", "");
    expect(merge(base, sections("", "", `\n${one}`), sections("", `\n${one}`, ""))).toBe(
      sections("", "", `\n${one}`),
    );
    const merged = merge(base, sections("", "", `\n${yours}`), sections("", `\n${mine}`, ""));
    const copy = mine.replace("mem-1700000000-0001", "mem-1767225600-beef");
    expect(merged).toBe(sections("", "", `\n${yours}\n${copy}`));
  });

  it("joins their new text and our new tags", () => {
    const tagged = (text: string) => note("0001", text).replace("tags: a", "tags: a, b");
    expect(merge(file(one, two), file(note("0001", "new"), two), file(tagged("one"), two))).toBe(
      file(tagged("new"), two),
    );
  });

  it("leaves our new notes in their sections when they move what was beside them", () => {
    const sections = (context: string, patterns: string) =>
      `# Memories\n\n## Context\n${context}\n## Patterns\n${patterns}`;
    expect(merge(sections("", `\n${one}`), sections(`\n${one}`, ""), sections("", `\n${two}\n${one}`))).toBe(
      sections(`\n${one}`, `\n${two}`),
    );
  });

  it("adds what it does not know the base of", () => {
    expect(
      notesOf(merge(undefined, file(one, two), file(one, three)))
        .map(({ content }) => content)
        .sort(),
    ).toEqual(["one", "three", "two"]);
  });

  it("keeps what has conflict markers", () => {
    const conflict = `<<<<<<< mine\n${two}=======\n>>>>>>> theirs\n`;
    expect(merge(file(one), file(one, conflict), file(three, one))).toContain(conflict);
  });
});
