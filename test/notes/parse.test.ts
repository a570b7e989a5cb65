import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Note } from "../../src/domain/knowledge/note.js";
import { parseNotes } from "../../src/notes/parse.js";
import { renderNote } from "../../src/notes/render.js";
import { sampleNotes } from "../support/sample-notes.js";
import { joinRanges, notesFileBytes } from "./notes-file-arbitrary.js";

const options = { today: "2026-01-02" };
const parse = (text: string | Buffer) => parseNotes(Buffer.from(text as string), options);
const contents = (text: string) => parse(text).blocks.map(({ note }) => note.content);

describe("parsing a notes file", () => {
  it("reads the five notes of the sample, including ids that are not hexadecimal", () => {
    const { blocks, problems } = parse(sampleNotes);
    expect(problems).toEqual([]);
    expect(blocks.map(({ note }) => note)).toEqual([
      {
        id: "mem-1737372000-a1b2",
        type: "pattern",
        content:
          "This codebase uses barrel exports for all module boundaries.\nEach directory has an index.ts that re-exports public API.",
        tags: ["imports", "structure"],
        created: "2025-01-20",
      },
      {
        id: "mem-1737372100-c3d4",
        type: "pattern",
        content: "Always run `cargo test` before declaring tasks complete.",
        tags: ["workflow", "testing"],
        created: "2025-01-20",
      },
      {
        id: "mem-1737380000-e5f6",
        type: "decision",
        content: "Chose JSONL over SQLite for event storage: simpler, git-friendly, append-only.",
        tags: ["architecture", "storage"],
        created: "2025-01-20",
      },
      {
        id: "mem-1737390000-g7h8",
        type: "fix",
        content: "ECONNREFUSED on port 5432 means PostgreSQL isn't running. Fix: `docker-compose up -d`",
        tags: ["docker", "debugging", "database"],
        created: "2025-01-21",
      },
      {
        id: "mem-1737400000-i9j0",
        type: "context",
        content: "The `ralph-core` crate is the shared library; `ralph-cli` is the binary entry point.",
        tags: ["architecture", "crates"],
        created: "2025-01-21",
      },
    ]);
  });

  it("renders the sample's blocks byte for byte", () => {
    for (const { note } of parse(sampleNotes).blocks)
      expect(sampleNotes.toString()).toContain(renderNote(note));
  });

  it("renders any file to the bytes it was read from", () => {
    fc.assert(
      fc.property(notesFileBytes, (bytes) => {
        expect(joinRanges(parseNotes(bytes, options)).equals(bytes)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("gives a note without metadata no tags and the date of its id", () => {
    const { blocks } = parse("## Fixes\n\n### mem-1737372000-a1b2\n> x\n");
    expect(blocks[0]?.note).toMatchObject({ tags: [], created: "2025-01-20", type: "fix" });
  });

  it("gives a note without metadata and without a time in its id today's date", () => {
    expect(parse("### mem-mine\n> x\n").blocks[0]?.note.created).toBe("2026-01-02");
  });

  it("keeps tags where they belong: a note without a comment does not get its neighbour's", () => {
    const text = "### mem-1-aaaa\n> one\n\n### mem-2-bbbb\n> two\n<!-- tags: t | created: 2025-01-01 -->\n";
    expect(parse(text).blocks.map(({ note }) => note.tags)).toEqual([[], ["t"]]);
  });

  it("keeps blank lines, bars, comment ends and headings inside content", () => {
    const content = "first\n\n### not a heading | --> <!-- x -->\n## Fixes\n> quoted";
    const note: Note = { id: "mem-1-aaaa", type: "pattern", content, tags: [], created: "2025-01-01" };
    expect(contents(`## Patterns\n\n${renderNote(note)}`)).toEqual([content]);
  });

  it("reads CRLF, a byte order mark, and a file without a final line end", () => {
    const text =
      "\ufeff## Context\r\n\r\n### mem-1-aaaa\r\n> a\r\n> b\r\n<!-- tags: t | created: 2025-01-01 -->";
    expect(parse(text).blocks[0]?.note).toMatchObject({
      type: "context",
      content: "a\nb",
      created: "2025-01-01",
    });
  });

  it("reads a bar inside a tag without losing tags or date", () => {
    const { note } =
      parse("### mem-1-aaaa\n> x\n<!-- tags: a|b, c | created: 2025-01-01 -->\n").blocks[0] ?? {};
    expect(note).toMatchObject({ tags: ["a|b", "c"], created: "2025-01-01" });
  });

  it("ignores notes in fenced code and in comments", () => {
    const block = "### mem-1-aaaa\n> x\n<!-- tags:  | created: 2025-01-01 -->\n";
    expect(contents(`\`\`\`md\n${block}\`\`\`\n`)).toEqual([]);
    expect(contents(`<!--\n${block}-->\n`)).toEqual([]);
    expect(contents(`\`\`\`\nnever closed\n${block}`)).toEqual(["x"]);
  });

  it("reports malformed blocks with their line and continues", () => {
    const text =
      "# Memories\n\n### mem-bad!id\n> x\n\n### mem-1-aaaa\n\n### mem-2-bbbb\n> ok\n\n### mem-2-bbbb\n> again\n\n### mem-3-cccc\n> y\n<!-- tags: t | created: soon -->\n";
    const { blocks, problems } = parse(text);
    expect(blocks.map(({ note }) => note.id)).toEqual(["mem-2-bbbb", "mem-3-cccc"]);
    expect(problems.map(({ line }) => line)).toEqual([3, 6, 11, 14]);
  });

  it("does not glue a block with an odd id onto the note before it", () => {
    expect(contents("### mem-1-aaaa\n> one\n\n### Some heading\n> two\n")).toEqual(["one"]);
  });

  it("reads a note whose metadata is above its content, and warns of a quote that is no note's", () => {
    const meta = "<!-- tags: t | created: 2025-01-01 -->";
    const text = `### mem-1-aaaa\n${meta}\n> one\n> more\n\n### mem-2-bbbb\n> two\n${meta}\n\n> stray\n`;
    const { blocks, problems } = parse(text);
    expect(blocks.map(({ note }) => [note.content, note.tags])).toEqual([
      ["one\nmore", ["t"]],
      ["two", ["t"]],
    ]);
    expect(problems).toEqual([
      { line: 10, message: "not read: this quote is below the metadata of mem-2-bbbb" },
    ]);
  });

  it("warns of a second line of metadata", () => {
    const meta = "<!-- tags: t | created: 2025-01-01 -->";
    expect(parse(`### mem-1-aaaa\n> one\n${meta}\n${meta}\n`).problems).toEqual([
      { line: 4, message: "not read: mem-1-aaaa has metadata above" },
    ]);
  });

  it("reads a heading with two spaces or a tab", () => {
    expect(contents("###  mem-1-aaaa\n> one\n\n###\tmem-2-bbbb\n> two\n")).toEqual(["one", "two"]);
  });

  it.each(["###mem-2-bbbb", "#### mem-2-bbbb", " ### mem-2-bbbb", "## mem-2-bbbb"])(
    "warns of %j with a quote below it, which it does not glue onto the note above",
    (heading) => {
      const { blocks, problems } = parse(`### mem-1-aaaa\n> one\n\n${heading}\n> two\n`);
      expect(blocks.map(({ note }) => note.content)).toEqual(["one"]);
      expect(problems).toEqual([
        { line: 4, message: 'not read as a note: write its heading as "### mem-2-bbbb"' },
      ]);
      expect(parse(`### mem-1-aaaa\n> one\n\n${heading}\nprose\n`).problems).toEqual([]);
    },
  );

  it("keeps the second of two notes with one id apart", () => {
    const { blocks, repeated } = parse("### mem-1-aaaa\n> one\n\n### mem-1-aaaa\n> two\n");
    expect([blocks, repeated].map(([block]) => block?.note.content)).toEqual(["one", "two"]);
  });

  it("leaves out only the notes of a conflict, and names it with its line", () => {
    const note = (id: string) => `### mem-${id}\n> ${id}\n<!-- tags:  | created: 2025-01-01 -->\n`;
    const text = [
      `## Fixes\n\n${note("1-aaaa")}`,
      "<<<<<<< HEAD\n",
      "\n### mem-2-bbbb\n> two\n=======\n\n### mem-3-cccc\n> three\n>>>>>>> branch\n",
      `<!-- tags: fix | created: 2025-01-01 -->\n\n${note("4-dddd")}`,
      "\n### mem-5-eeee\n<<<<<<< HEAD\n> a\n||||||| base\n> b\n=======\n> c\n>>>>>>> branch\n",
      `<!-- tags:  | created: 2025-01-01 -->\n\n## Context\n\n${note("6-ffff")}`,
    ].join("");
    const { blocks, conflicts, problems } = parse(text);
    expect(blocks.map(({ note: { id, type } }) => `${id} ${type}`)).toEqual([
      "mem-1-aaaa fix",
      "mem-4-dddd fix",
      "mem-6-ffff context",
    ]);
    expect(conflicts).toMatchObject([
      { line: 6, message: "git conflict marker: not read until it is resolved: mem-2-bbbb, mem-3-cccc" },
      { line: 22, message: "git conflict marker: not read until it is resolved: mem-5-eeee" },
    ]);
    expect(problems).toEqual([]);
  });

  it.each(["<<<<<<< HEAD", ">>>>>>> branch", "||||||| base"])(
    "loses no other note by a marker %s that has no other",
    (marker) => {
      const { blocks, conflicts } = parse(`### mem-1-aaaa\n> one\n${marker}\n\n### mem-2-bbbb\n> two\n`);
      expect(blocks.map(({ note }) => note.content)).toEqual(["two"]);
      expect(conflicts.map(({ line }) => line)).toEqual([3]);
    },
  );
});
