import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Note } from "../../src/domain/knowledge/note.js";
import { parseNotes } from "../../src/notes/parse.js";
import { renderNote, renderNotes } from "../../src/notes/render.js";
import { sampleNotes } from "../support/sample-notes.js";
import { notesFileBytes } from "./notes-file-arbitrary.js";

const options = { path: "memories.md", today: "2026-01-02" };
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
        expect(renderNotes(parseNotes(bytes, options)).equals(bytes)).toBe(true);
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

  it.each(["<<<<<<< HEAD", ">>>>>>> branch", "||||||| base"])("stops at the conflict marker %s", (marker) => {
    expect(() => parse(`## Patterns\n\n${marker}\n`)).toThrow(/line 3/);
  });
});
