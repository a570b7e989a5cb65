import fc from "fast-check";
import { type Note, noteTypes, sectionNames } from "../../src/domain/knowledge/note.js";
import { applyEdits, changeNote, insertNote, removeNote } from "../../src/notes/edit.js";
import { parseNotes } from "../../src/notes/parse.js";
import { renderNote } from "../../src/notes/render.js";

const options = { today: "2026-01-02" };
export const notesOf = (bytes: Buffer) => parseNotes(bytes, options);

const words = fc.array(fc.constantFrom("port", "cache", "naïve", "日本", "`x | y`", "-->", "🔧"), {
  minLength: 1,
  maxLength: 4,
});
const tags = fc.uniqueArray(fc.constantFrom("docker", "db", "ci", "fix", "naïve"), { maxLength: 3 });

/** What a person or a command does to a notes file; `at` chooses where. */
interface Step {
  kind: "add" | "write" | "prose" | "unprose" | "delete" | "edit" | "tag" | "untag" | "retag" | "move";
  at: number;
  words: string[];
  tags: string[];
}

const kinds: readonly Step["kind"][] = [
  "add",
  "add",
  "add",
  "write",
  "prose",
  "unprose",
  "delete",
  "edit",
  "edit",
  "tag",
  "tag",
  "untag",
  "retag",
  "move",
  "move",
];
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kinds),
  at: fc.nat({ max: 1000 }),
  words,
  tags,
});

export interface Branches {
  base: Buffer;
  branches: Buffer[];
}

/** A notes file and as many edited branches of it. Each text and each line of prose is there only once. */
export function editedBranches(count: number): fc.Arbitrary<Branches> {
  return fc
    .record({
      lineEnd: fc.constantFrom("\n", "\n", "\r\n"),
      hasFinalEnd: fc.boolean(),
      hasMark: fc.boolean(),
      sections: fc.subarray([...noteTypes], { minLength: 1 }),
      start: fc.array(step, { maxLength: 12 }),
      branches: fc.array(fc.array(step, { maxLength: 6 }), { minLength: count, maxLength: count }),
    })
    .map(({ lineEnd, hasFinalEnd, hasMark, sections, start, branches }) => {
      const headers = sections.map((type) => `## ${sectionNames[type]}`);
      const text = ["# Memories", ...headers].join(lineEnd + lineEnd) + (hasFinalEnd ? lineEnd : "");
      const empty = Buffer.from((hasMark ? "\ufeff" : "") + text);
      const base = start.reduce<Buffer>((bytes, each, index) => take(bytes, each, `base${index}`), empty);
      return {
        base,
        branches: branches.map((steps, branch) =>
          steps.reduce<Buffer>((bytes, each, index) => take(bytes, each, `branch${branch}x${index}`), base),
        ),
      };
    });
}

function take(bytes: Buffer, { kind, at, words: said, tags: given }: Step, unique: string): Buffer {
  const document = notesOf(bytes);
  const block = document.blocks[at % Math.max(1, document.blocks.length)];
  const apply = (edits: Parameters<typeof applyEdits>[1]) => Buffer.concat(applyEdits(bytes, edits));
  const type = noteTypes[at % noteTypes.length] ?? "pattern";
  const content = [`${unique} ${said.join(" ")}`, ...(at % 3 === 0 ? ["", `more of ${unique}`] : [])].join(
    "\n",
  );
  const added: Note = { id: `mem-${unique}`, type, content, tags: given, created: "2026-01-02" };
  const change = (edit: Parameters<typeof changeNote>[2]) =>
    block === undefined ? bytes : apply(changeNote(document, block, edit, undefined, options).edits);
  switch (kind) {
    case "add":
      return apply([insertNote(bytes, added, options).edit]);
    case "write": {
      // By hand, at the end of the file.
      const lineEnd = bytes.includes("\r\n") ? "\r\n" : "\n";
      const gap = bytes.at(-1) === 10 ? lineEnd : lineEnd + lineEnd;
      return Buffer.concat([bytes, Buffer.from(gap + renderNote(added, lineEnd))]);
    }
    case "prose": {
      const places = [
        ...document.blocks.map((each) => (each.metadata ?? each.heading).end),
        ...document.sections.map(({ header }) => header.end),
      ];
      const place = places[at % Math.max(1, places.length)] ?? bytes.length;
      const isOpen = bytes[place - 1] !== 10;
      const text = `${isOpen ? "\n" : ""}\nprose ${unique} ${said.join(" ")}${isOpen ? "" : "\n"}`;
      return apply([{ start: place, end: place, replacement: text }]);
    }
    case "unprose": {
      const lines = bytes.toString("latin1").match(/^prose .*\n/gm) ?? [];
      const line = lines[at % Math.max(1, lines.length)];
      if (line === undefined) return bytes;
      return Buffer.from(bytes.toString("latin1").replace(line, ""), "latin1");
    }
    case "delete":
      return block === undefined ? bytes : apply(removeNote(document, block, undefined).edits);
    case "edit":
      return change({ content });
    case "tag":
      return change({ tags: [...new Set([...(block?.note.tags ?? []), ...given])] });
    case "untag":
      return change({ tags: (block?.note.tags ?? []).filter((tag) => !given.includes(tag)) });
    case "retag":
      return change({ tags: given });
    case "move":
      return change({ type });
  }
}

/** The lines of prose of the generator that a text holds. */
export const proseIn = (bytes: Buffer) =>
  (bytes.toString("latin1").match(/^prose .*$/gm) ?? []).map((line) => line.replace(/\r$/, ""));

export const rawNotes = (bytes: Buffer) =>
  new Map(
    notesOf(bytes).blocks.map(({ note, heading, metadata, content }) => {
      const end = Math.max(metadata?.end ?? 0, content.at(-1)?.end ?? 0);
      return [note.id, { note, raw: bytes.toString("latin1", heading.start, end).trimEnd() }];
    }),
  );
