import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Note } from "../../src/domain/knowledge/note.js";
import { mergeVersions } from "../../src/notes/merge-versions.js";
import { growsLinearly } from "../support/grows-linearly.js";
import { editedBranches, notesOf, proseIn, rawNotes } from "./edited-branches.js";
import { lostLines } from "./lost-lines.js";
import { notesFileBytes } from "./notes-file-arbitrary.js";

const labels = { markerSize: 7, ours: "ours", theirs: "theirs" };
const merge = (base: string | Buffer, ours: string | Buffer, theirs: string | Buffer) => {
  const [b, o, t] = [base, ours, theirs].map((each) => Buffer.from(each as string));
  const { bytes, ...found } = mergeVersions(
    { base: b as Buffer, ours: o as Buffer, theirs: t as Buffer },
    labels,
  );
  return { text: bytes.toString(), bytes, ...found };
};

const metadata = "<!-- tags: fix, db | created: 2026-01-02 -->";
const note = (id: string, text = id, meta = metadata) => `### mem-${id}\n> ${text}\n${meta}\n`;
const file = (...notes: string[]) =>
  `# Memories\n\n## Fixes\n${notes.map((each) => `\n${each}`).join("")}\n## Context\n`;

/** What is left of a text if one side of each conflict is taken. */
function resolved(bytes: Buffer, side: "ours" | "theirs"): Buffer {
  const conflict = /^<{7} ours\r?\n([\s\S]*?)^={7}\r?\n([\s\S]*?)^>{7} theirs(?:\r?\n)?/gm;
  const text = bytes.toString("latin1").replace(conflict, side === "ours" ? "$1" : "$2");
  return Buffer.from(text, "latin1");
}

/** The tags of a note that nobody deleted: each change of either is in them, in our order. */
function joinedTags(was: Note | undefined, our: Note, their: Note): string[] {
  const [old = [], ours = [], theirs = []] = [was, our, their].map((each) => each?.tags);
  if (ours.join() === old.join()) return theirs;
  if (theirs.join() === old.join()) return ours;
  const isRemoved = (tag: string) => old.includes(tag) && !(ours.includes(tag) && theirs.includes(tag));
  return [...new Set([...ours, ...theirs])].filter((tag) => !isRemoved(tag));
}

/** Taking one side of a conflict gives what this side did to the note. */
function expectResolved(taken: Note | undefined, was: Note | undefined, own?: Note) {
  expect(taken === undefined).toBe(own === undefined);
  if (taken === undefined || own === undefined) return;
  if (own.content !== was?.content) expect(taken.content).toBe(own.content);
}

/** No note, tag or line of prose of either branch is lost, and what one deleted is gone. */
function expectNothingLost(base: Buffer, ours: Buffer, theirs: Buffer): Buffer {
  const { bytes, notes, places } = merge(base, ours, theirs);
  const text = bytes.toString("latin1");
  const [b, o, t, merged] = [base, ours, theirs, bytes].map(rawNotes);
  const [inOurs, inTheirs] = [rawNotes(resolved(bytes, "ours")), rawNotes(resolved(bytes, "theirs"))];
  for (const id of new Set([...(o?.keys() ?? []), ...(t?.keys() ?? [])])) {
    const [was, our, their] = [b?.get(id), o?.get(id), t?.get(id)];
    const tags = our && their ? joinedTags(was?.note, our.note, their.note) : (our ?? their)?.note.tags;
    if (notes.includes(id)) {
      const [mine, yours] = [inOurs.get(id)?.note, inTheirs.get(id)?.note];
      expectResolved(mine, was?.note, our?.note);
      expectResolved(yours, was?.note, their?.note);
      // A conflict between notes may be about the header of a section, which one of its sides does not have.
      if (places === 0) {
        const typeOf = (own: typeof our, other: typeof our) =>
          (own?.note.type === was?.note.type ? other : own)?.note.type;
        expect(mine?.type).toBe(mine && typeOf(our, their ?? our));
        expect(yours?.type).toBe(yours && typeOf(their, our ?? their));
      }
      for (const taken of [mine, yours]) expect(taken?.tags ?? tags).toEqual(tags);
      continue;
    }
    const found = merged?.get(id);
    const isDeleted = was !== undefined && (our === undefined || their === undefined);
    if (isDeleted) {
      expect(found).toBeUndefined();
      const { raw, note: left } = our ?? their ?? was;
      expect([raw.replaceAll("\r", ""), left.type]).toEqual([was.raw.replaceAll("\r", ""), was.note.type]);
      continue;
    }
    const field = (key: "content" | "type") => {
      const [x, y, z] = [was, our ?? their, their ?? our].map((side) => side?.note[key]);
      if (y === x) return z;
      // Both changed it, and this is no conflict: then alike.
      expect([x, y]).toContain(z);
      return y;
    };
    expect(found?.note).toMatchObject({ content: field("content"), tags, type: field("type") });
  }
  const [oldProse, ourProse, theirProse] = [base, ours, theirs].map((each) => new Set(proseIn(each)));
  const expected = [...new Set([...(ourProse ?? []), ...(theirProse ?? [])])].filter(
    (line) => !oldProse?.has(line) || (ourProse?.has(line) && theirProse?.has(line)),
  );
  const prose = proseIn(bytes);
  if (places === 0) expect(prose.toSorted()).toEqual(expected.toSorted());
  else expect(prose).toEqual(expect.arrayContaining(expected));
  const hasMarkers = /^(?:<{7}|={7}|>{7})/m.test(text);
  expect(hasMarkers).toBe(notes.length + places > 0);
  return bytes;
}

describe("merging two branches of a notes file", () => {
  it("loses no note, no tag and no line of prose in 200 random merges", () => {
    fc.assert(
      fc.property(editedBranches(2), ({ base, branches: [ours = base, theirs = base] }) => {
        expectNothingLost(base, ours, theirs);
      }),
      { numRuns: 200 },
    );
  });

  it("loses nothing of three branches that are merged one after another, 200 times", () => {
    fc.assert(
      fc.property(editedBranches(3), ({ base, branches: [first = base, second = base, third = base] }) => {
        const merged = expectNothingLost(base, first, second);
        if (!/^<{7}/m.test(merged.toString())) expectNothingLost(base, merged, third);
      }),
      { numRuns: 200 },
    );
  });

  it("keeps every new line with anything in it of any two files, whatever they are", () => {
    fc.assert(
      fc.property(notesFileBytes, notesFileBytes, notesFileBytes, (base, ours, theirs) => {
        expect(lostLines(base, [ours, theirs], merge(base, ours, theirs).bytes)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it("gives a branch's own bytes where the other changed nothing, or the same", () => {
    fc.assert(
      fc.property(editedBranches(1), ({ base, branches: [changed = base] }) => {
        for (const [ours, theirs] of [
          [base, changed] as const,
          [changed, base] as const,
          [changed, changed] as const,
        ])
          expect(merge(base, ours, theirs).text).toBe(changed.toString());
      }),
      { numRuns: 200 },
    );
  });

  it("keeps new notes of both at the top of a section, ours first, each with its tags", () => {
    const old = note("old");
    const { text, notes } = merge(file(old), file(note("a"), old), file(note("b"), old));
    expect(text).toBe(file(note("a"), note("b"), old));
    expect(notes).toEqual([]);
  });

  it("puts a marker on a line of its own behind the end of a file that does not end its line", () => {
    const ours = "### mem-1737372100-a7b8\n> x";
    const theirs = `${ours}\n<!-- tags: a | created: 2025-01-20 -->`;
    expect(merge("", ours, theirs).text).toMatch(/^### mem-1737372100-a7b8\n> x\n<<<<<<< ours\n/);
  });

  it("keeps a note once that both added", () => {
    expect(merge(file(), file(note("a"), note("b")), file(note("a"), note("c"))).text).toBe(
      file(note("a"), note("c"), note("b")),
    );
  });

  it("marks a note that both changed within itself", () => {
    const other = note("other");
    const { text, notes } = merge(
      file(note("x", "old"), other),
      file(note("x", "mine"), other),
      file(note("x", "yours"), note("new"), other),
    );
    expect(text).toBe(
      file(
        `### mem-x\n<<<<<<< ours\n> mine\n=======\n> yours\n>>>>>>> theirs\n${metadata}\n`,
        note("new"),
        other,
      ),
    );
    expect(notes).toEqual(["mem-x"]);
    expect(notesOf(Buffer.from(text)).blocks.map((block) => block.note.id)).toEqual(["mem-new", "mem-other"]);
  });

  it("joins new text of one and new tags of the other", () => {
    const tagged = "<!-- tags: new | created: 2026-01-02 -->";
    const { text, notes } = merge(
      file(note("x", "old")),
      file(note("x", "new text")),
      file(note("x", "old", tagged)),
    );
    expect([text, notes]).toEqual([file(note("x", "new text", tagged)), []]);
  });

  describe("of which both changed the tags of a note", () => {
    const tagged = (tags: string, rest = "| created: 2026-01-02 -->") =>
      file(note("x", "text", `<!-- tags:${tags}${rest}`));

    it.each([
      ["added by each", " a, b ", " a, b, m ", " a, b, o ", " a, b, m, o "],
      ["removed by each", " a, b, c ", " a, b ", " b, c ", " b "],
      ["removed by one, added by the other", " a, b ", " b ", " a, b, o ", " b, o "],
      ["added by both", " a ", " a, n, m ", " n, o, a ", " a, n, m, o "],
      ["sorted by one, added by the other", " b, a ", " a, b ", " b, a, o ", " a, b, o "],
      ["all removed", " a, b ", " a ", " b ", "  "],
      ["written in another way, which stays", "a,b", "b", "a", " "],
      ["ours is what comes out", "a,b,c", "a , n", "a,b", "a , n"],
      ["other letters", " à ", " à, é|ù", " à, ñ ", " à, é|ù, ñ"],
      ["a byte that is a blank elsewhere", " à", " m, à", " o, à", " m, à, o"],
    ])("joins them: %s", (_, base, ours, theirs, merged) => {
      const { text, notes } = merge(tagged(base), tagged(ours), tagged(theirs));
      expect([text, notes]).toEqual([tagged(merged), []]);
    });

    it("keeps what else one of them changed in the comment, and in the text", () => {
      const [created, own] = ["| created: 2026-01-02 -->", "| created: 2026-03-04 | by: ann -->  "];
      for (const [ours, theirs] of [
        [own, created],
        [created, own],
      ] as const)
        expect(merge(tagged(" a ", created), tagged(" a, m ", ours), tagged(" a, o ", theirs))).toMatchObject(
          { text: tagged(" a, m, o ", own), notes: [] },
        );
      const edited = tagged(" a, o ").replace("> text", "> new text");
      expect(merge(tagged(" a "), tagged(" a, m "), edited).text).toBe(
        tagged(" a, m, o ").replace("> text", "> new text"),
      );
    });

    it("asks about the text alone where that is in conflict, and about the comment where both changed more of it", () => {
      const said = (text: string, tags: string) => tagged(tags).replace("> text", `> ${text}`);
      expect(merge(tagged(" a "), said("mine", " a, m "), said("yours", " a, o ")).text).toBe(
        tagged(" a, m, o ").replace("> text\n", "<<<<<<< ours\n> mine\n=======\n> yours\n>>>>>>> theirs\n"),
      );
      const dated = (tags: string, day: string) => tagged(tags, `| created: 2026-01-${day} -->`);
      const { text, notes } = merge(dated(" a ", "01"), dated(" a, m ", "02"), dated(" a, o ", "03"));
      expect(notes).toEqual(["mem-x"]);
      expect(text).toContain("<<<<<<< ours\n<!-- tags: a, m | created: 2026-01-02 -->\n=======\n");
    });
  });

  it("asks when one deleted what the other changed", () => {
    const { text, notes } = merge(
      file(note("x", "old"), note("y")),
      file(note("y")),
      file(note("x", "new"), note("y")),
    );
    expect(text).toBe(file(`<<<<<<< ours\n=======\n${note("x", "new")}>>>>>>> theirs\n`, note("y")));
    expect(notes).toEqual(["mem-x"]);
  });

  it("asks when one deleted what the other moved to another section", () => {
    const base = `## Fixes\n\n${note("x")}\n## Context\n\n${note("y")}`;
    const deleted = `## Fixes\n\n## Context\n\n${note("y")}`;
    const moved = (x: string) => `## Fixes\n\n## Context\n\n${x}\n${note("y")}`;
    expect(merge(base, deleted, moved(note("x")))).toMatchObject({
      text: moved(`<<<<<<< ours\n=======\n${note("x")}>>>>>>> theirs\n`),
      notes: ["mem-x"],
    });
    expect(merge(base, moved(note("x")), deleted)).toMatchObject({
      text: moved(`<<<<<<< ours\n${note("x")}=======\n>>>>>>> theirs\n`),
      notes: ["mem-x"],
    });
  });

  it("moves a note that one moved and the other changed", () => {
    const base = `## Fixes\n\n${note("x", "old")}\n## Context\n\n${note("y")}`;
    const moved = `## Fixes\n\n## Context\n\n${note("x", "old")}\n${note("y")}`;
    const edited = base.replace("> old", "> new");
    expect(merge(base, edited, moved).text).toBe(moved.replace("> old", "> new"));
    expect(merge(base, moved, edited).text).toBe(moved.replace("> old", "> new"));
  });

  it("asks when both moved a note to different sections, in both of them", () => {
    const sections = (patterns: string, fixes: string, context: string) =>
      `## Patterns\n${patterns}\n## Fixes\n${fixes}\n## Context\n${context}`;
    const [x, y] = [`\n${note("x", "old")}`, `\n${note("y")}`];
    const both = (base: string, ours: string, theirs: string) =>
      merge(sections(base, y, ""), sections("", ours + y, ""), sections("", y, theirs));
    const ours = (raw: string) => `\n<<<<<<< ours\n${raw.slice(1)}=======\n>>>>>>> theirs\n`;
    const theirs = (raw: string) => `\n<<<<<<< ours\n=======\n${raw.slice(1)}>>>>>>> theirs\n`;
    expect(both(x, x, x)).toMatchObject({ text: sections("", ours(x) + y, theirs(x)), notes: ["mem-x"] });
    expect(both("", x, x)).toMatchObject({ text: sections("", ours(x) + y, theirs(x)), notes: ["mem-x"] });
    const [mine, yours] = [x.replace("old", "mine"), x.replace("old", "yours")];
    expect(both(x, mine, yours).text).toBe(sections("", ours(mine) + y, theirs(yours)));
    // What only one of them changed is in both.
    expect(both(x, x, yours).text).toBe(sections("", ours(yours) + y, theirs(yours)));
  });

  it("keeps the section of a new note that the other took away", () => {
    const { text } = merge(
      `## Fixes\n\n${note("x")}\n## Context\n`,
      `## Fixes\n\n${note("new")}\n${note("x")}\n## Context\n`,
      "## Context\n",
    );
    expect(notesOf(Buffer.from(text)).blocks.map((block) => [block.note.id, block.note.type])).toEqual([
      ["mem-new", "fix"],
    ]);
  });

  it("keeps sections that both added", () => {
    const base = "# Memories\n";
    const { text, places } = merge(
      base,
      `${base}\n## Fixes\n\n${note("a")}`,
      `${base}\n## Context\n\n${note("b")}\n## Fixes\n\n${note("c")}`,
    );
    expect(places).toBe(0);
    expect(
      notesOf(Buffer.from(text))
        .blocks.map(({ note: { id, type } }) => `${id} ${type}`)
        .toSorted(),
    ).toEqual(["mem-a fix", "mem-b context", "mem-c fix"]);
  });

  it("merges prose between notes as git does, and keeps its place", () => {
    const [one, two] = [note("one"), note("two")];
    const base = file(one, two);
    const withProse = file(one, `about two\n\n${two}`);
    expect(merge(base, file(note("new"), one, two), withProse).text).toBe(
      file(note("new"), one, `about two\n\n${two}`),
    );
    const { text, places } = merge(base, withProse, file(one, `on the second\n\n${two}`));
    expect(places).toBe(1);
    expect(text).toBe(file(one, `<<<<<<< ours\nabout two\n=======\non the second\n>>>>>>> theirs\n\n${two}`));
  });

  it("keeps line ends, a byte order mark and a missing final line end", () => {
    const crlf = (text: string) => text.replaceAll("\n", "\r\n");
    const base = `\ufeff## Fixes\n\n${note("x")}`.trimEnd();
    const ours = base.replace("## Fixes\n", `## Fixes\n\n${note("a")}`);
    const theirs = `${base}\n\n${note("b")}`.trimEnd();
    const merged = `\ufeff## Fixes\n\n${note("a")}\n${note("x")}\n${note("b")}`.trimEnd();
    expect(merge(base, ours, theirs).text).toBe(merged);
    expect(merge(crlf(base), crlf(ours), crlf(theirs)).text).toBe(crlf(merged));
  });

  it("takes time in proportion to the number of notes", () => {
    const many = (count: number, extra: string) =>
      file(...Array.from({ length: count }, (_, index) => note(`n${index}`)), note(extra));
    expect(
      growsLinearly((count) => merge(many(count, "base"), many(count, "ours"), many(count, "theirs")), 5000),
    ).toBe(true);
  });
});
