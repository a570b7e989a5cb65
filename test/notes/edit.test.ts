import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Note, noteTypes, sectionNames } from "../../src/domain/knowledge/note.js";
import { applyEdits, changeNote, insertNote, insertNotes, removeNote } from "../../src/notes/edit.js";
import { parseNotes } from "../../src/notes/parse.js";
import { renderTemplate } from "../../src/notes/render.js";
import { growsLinearly } from "../support/grows-linearly.js";
import { sampleNotes } from "../support/sample-notes.js";
import { notesFileBytes } from "./notes-file-arbitrary.js";

const options = { today: "2026-01-02" };
const note: Note = {
  id: "mem-1800000000-beef",
  type: "fix",
  content: "x",
  tags: ["a", "b"],
  created: "2027-01-15",
};
const content = fc
  .string({ unit: "grapheme", minLength: 1 })
  .map((text) => text.replace(/\r\n?/g, "\n"))
  .filter((text) => text.trim() !== "" && !text.includes("\0"));
const anyNote: fc.Arbitrary<Note> = fc.record({
  id: fc.constant(note.id),
  type: fc.constantFrom(...noteTypes),
  content: fc.oneof(
    content,
    fc.constantFrom(
      "### mem-1-aaaa",
      "a\n\n-->\n```\n<!--",
      "## Fixes\n> q",
      "<<<<<<< HEAD\n=======\n>>>>>>> x",
    ),
  ),
  tags: fc.constant(["a", "b"]),
  created: fc.constant("2027-01-15"),
});

function add(bytes: Buffer, added: Note): { bytes: Buffer; addedSection: string | undefined } {
  const { edit, addedSection } = insertNote(bytes, added, options);
  return { bytes: Buffer.concat(applyEdits(bytes, [edit])), addedSection };
}

function find(bytes: Buffer, id: string) {
  const document = parseNotes(bytes, options);
  const block = document.blocks.find((candidate) => candidate.note.id === id);
  if (block === undefined) throw new Error(`${id} is not in the file`);
  return { document, block };
}

describe("adding a note", () => {
  it("inserts it right below its section's header", () => {
    const { bytes } = add(Buffer.from(renderTemplate()), note);
    expect(bytes.toString()).toBe(
      "# Memories\n\n## Patterns\n\n## Decisions\n\n## Fixes\n\n### mem-1800000000-beef\n> x\n<!-- tags: a, b | created: 2027-01-15 -->\n\n## Context\n",
    );
  });

  it("reads back equal from any file, and leaves the other notes as they were", () => {
    fc.assert(
      fc.property(notesFileBytes, anyNote, (bytes, added) => {
        const before = parseNotes(bytes, options).blocks.map((block) => block.note);
        const after = parseNotes(add(bytes, added).bytes, options).blocks.map((block) => block.note);
        expect(after.find(({ id }) => id === added.id)).toEqual(added);
        expect(after.filter(({ id }) => id !== added.id)).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });

  it("does the same for many at once as one by one, from the last to the first", () => {
    fc.assert(
      fc.property(notesFileBytes, fc.array(anyNote, { minLength: 1, maxLength: 4 }), (bytes, notes) => {
        const added = notes.map((each, index) => ({
          ...each,
          type: note.type,
          id: `mem-180000000${index}-beef`,
        }));
        const { edit, addedSection } = insertNotes(bytes, note.type, added, options);
        let whole = bytes;
        for (const each of added.toReversed()) whole = add(whole, each).bytes;
        expect(Buffer.concat(applyEdits(bytes, [edit])).toString()).toBe(whole.toString());
        expect(addedSection).toBe(add(bytes, added[0] ?? note).addedSection);
      }),
      // Half of a line end at the end of the file.
      { examples: [[Buffer.from(`## ${sectionNames[note.type]}\r`), [note, note]]] },
    );
  });

  it("of many at once takes as long as they are many", () => {
    const bytes = Buffer.from(renderTemplate());
    const work = (count: number) => insertNotes(bytes, note.type, Array(count).fill(note), options);
    expect(growsLinearly(work, 20_000)).toBe(true);
  });

  it("keeps every byte that was there, in order", () => {
    fc.assert(
      fc.property(notesFileBytes, anyNote, (bytes, added) => {
        const { edit } = insertNote(bytes, added, options);
        expect(edit.start).toBe(edit.end);
      }),
    );
  });

  it("uses the file's own line ends", () => {
    const { bytes } = add(Buffer.from("## Fixes\r\n"), note);
    expect(bytes.toString().replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("ignores a header inside another note's content", () => {
    const text =
      "## Patterns\n\n### mem-1-aaaa\n> see\n> ## Fixes\n<!-- tags:  | created: 2025-01-01 -->\n\n## Fixes\n";
    expect(add(Buffer.from(text), note).bytes.toString()).toMatch(/\n## Fixes\n\n### mem-1800000000-beef\n/);
  });

  it("ignores a header inside fenced code", () => {
    const text = "```\n## Fixes\n```\n\n## Fixes\n";
    expect(add(Buffer.from(text), note).bytes.toString()).toMatch(
      /```\n\n## Fixes\n\n### mem-1800000000-beef/,
    );
  });
});

describe("deleting a note", () => {
  it("restores the bytes from before it was added, even if a section was added", () => {
    fc.assert(
      fc.property(notesFileBytes, anyNote, (bytes, added) => {
        const { bytes: withNote, addedSection } = add(bytes, added);
        const { document, block } = find(withNote, added.id);
        const restored = Buffer.concat(applyEdits(withNote, removeNote(document, block, addedSection).edits));
        expect(restored.equals(bytes)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it.each(["## Context (ours)\r", "# M\r\n\r\n## Context\r", "# M\n\n## Context\r", "# M\r\n\r\n## Context"])(
    "leaves half a line end, or none, of the last header as it was: %j",
    (text) => {
      const note: Note = { id: "mem-1-aaaa", type: "context", content: "x", tags: [], created: "2025-01-01" };
      const { bytes: withNote, addedSection } = add(Buffer.from(text), note);
      const { document, block } = find(withNote, note.id);
      const restored = applyEdits(withNote, removeNote(document, block, addedSection).edits);
      expect(Buffer.concat(restored).toString()).toBe(text);
    },
  );

  it("removes only the note and keeps prose between its lines", () => {
    const text =
      "## Fixes\n\n### mem-1-aaaa\n> x\nmy own words\n<!-- tags:  | created: 2025-01-01 -->\n\ntail\n";
    const { document, block } = find(Buffer.from(text), "mem-1-aaaa");
    const rest = Buffer.concat(
      applyEdits(document.bytes, removeNote(document, block, undefined).edits),
    ).toString();
    expect(rest).toBe("## Fixes\nmy own words\n\ntail\n");
  });
});

describe("changing a note", () => {
  const change = (bytes: Buffer, id: string, edit: Parameters<typeof changeNote>[2]) => {
    const { document, block } = find(bytes, id);
    return Buffer.concat(applyEdits(bytes, changeNote(document, block, edit, undefined, options).edits));
  };

  it("replaces content in place", () => {
    const changed = change(sampleNotes, "mem-1737372000-a1b2", { content: "one\ntwo\nthree" }).toString();
    expect(changed).toBe(
      sampleNotes.toString().replace(/> This codebase.*\n> Each.*\n/, "> one\n> two\n> three\n"),
    );
  });

  it("keeps the lines that do not change as they were written", () => {
    const text = "## Fixes\r\n\r\n### mem-1-aaaa\r\n> one\r\n> \r\nprose\r\n>two\r\n> \r\n> three\r\n";
    const edited = (content: string) => change(Buffer.from(text), "mem-1-aaaa", { content }).toString();
    expect(edited("one\n\ntwo\n\nthree")).toBe(text);
    expect(edited("ONE\n\ntwo\n\nTHREE\nfour")).toBe(
      text.replace("> one", "> ONE").replace("> three\r\n", "> THREE\r\n> four\r\n"),
    );
    expect(edited("zero\none\n\ntwo\n\nthree\nfour")).toBe(
      text.replace("> one", "> zero\r\n> one").concat("> four\r\n"),
    );
    expect(edited("two")).toBe("## Fixes\r\n\r\n### mem-1-aaaa\r\nprose\r\n>two\r\n");
  });

  it("replaces tags and keeps the date", () => {
    const { block } = find(
      change(sampleNotes, "mem-1737390000-g7h8", { tags: ["db"] }),
      "mem-1737390000-g7h8",
    );
    expect(block.note).toMatchObject({ tags: ["db"], created: "2025-01-21", type: "fix" });
  });

  it.each(["-->", "| created: 2025-01-01 -->", ""])(
    "replaces a tag whole that ends in à before %j",
    (rest) => {
      const text = (tags: string) => `## Fixes\n\n### mem-1-aaaa\n> x\n<!-- tags: ${tags}${rest}\n`;
      expect(change(Buffer.from(text("à")), "mem-1-aaaa", { tags: ["t"] }).toString()).toBe(text("t"));
    },
  );

  it("gives a note without metadata a comment when it gets tags", () => {
    const changed = change(Buffer.from("## Fixes\n\n### mem-1-aaaa\n> x"), "mem-1-aaaa", { tags: ["t"] });
    expect(find(changed, "mem-1-aaaa").block.note.tags).toEqual(["t"]);
  });

  it("moves a note to the section of its new type and back without a trace", () => {
    const moved = change(sampleNotes, "mem-1737380000-e5f6", { type: "context" });
    expect(find(moved, "mem-1737380000-e5f6").block.note.type).toBe("context");
    const back = change(moved, "mem-1737380000-e5f6", { type: "decision" });
    expect(back.toString()).toBe(sampleNotes.toString());
  });

  it("changes nothing but the note, in any file", () => {
    fc.assert(
      fc.property(notesFileBytes, anyNote, content, (bytes, added, text) => {
        const withNote = add(bytes, added).bytes;
        const notes = (of: Buffer) => parseNotes(of, options).blocks.map((block) => block.note);
        const changed = notes(change(withNote, added.id, { content: text, tags: ["new"] }));
        expect(changed).toEqual(
          notes(withNote).map((other) =>
            other.id === added.id ? { ...other, content: text, tags: ["new"] } : other,
          ),
        );
      }),
      { numRuns: 300 },
    );
  });
});
