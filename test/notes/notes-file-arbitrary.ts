import fc from "fast-check";
import type { NotesDocument } from "../../src/notes/parse.js";

const line = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "## Patterns",
      "## Decisions",
      "## Fixes",
      "## Context",
      "## Context (ours)",
      "# Memories",
    ),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      "### mem-1737372000-a1b2",
      "### mem-1737372100-g7h8",
      "### mem-x",
      "### mem-bad!",
      "### Prose",
    ),
  },
  { weight: 3, arbitrary: fc.string({ unit: "grapheme" }).map((text) => `> ${text}`) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(">", "> ", ">x", "", "  ", "prose", "- item", "## Other", "### ", "#### deep"),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "<!-- tags: a, b | created: 2025-01-20 -->",
      "<!-- tags:  | created: 2025-01-20 -->",
      "<!-- tags: x|y | created: never -->",
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom("```", "~~~", "````md", "<!--", "-->", "<!-- note -->") },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }).filter((text) => !/^[<>|]{7}/.test(text)) },
);
const isConflict = /^(?:<{7}|>{7}|\|{7})(?: |$)/m;

/** Files as people, tools and accidents make them: known and unknown lines, mixed line ends, odd bytes. */
export const notesFileBytes: fc.Arbitrary<Buffer> = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.tuple(line, fc.constantFrom("\n", "\n", "\n", "\r\n")), { maxLength: 40 }),
    fc.boolean(),
    fc.uint8Array({ maxLength: 4 }),
  )
  .map(([hasMark, lines, hasFinalEnd, tail]) => {
    const text = lines.map(([content, end]) => content + end).join("");
    const body = hasFinalEnd ? text : text.replace(/\r?\n$/, "");
    return Buffer.concat([Buffer.from(hasMark ? "\ufeff" : ""), Buffer.from(body), Buffer.from(tail)]);
  })
  .filter((bytes) => !isConflict.test(bytes.toString("latin1")));

/** The bytes of a parsed file, put together from its ranges. */
export function joinRanges({ bytes, blocks, sections }: NotesDocument): Buffer {
  const pieces: Buffer[] = [];
  let position = 0;
  const ranges = [
    ...blocks.flatMap(({ heading, content, metadata }) => [
      heading,
      ...content,
      ...(metadata ? [metadata] : []),
    ]),
    ...sections.map(({ header }) => header),
  ].sort((a, b) => a.start - b.start);
  for (const { start, end } of ranges) {
    pieces.push(bytes.subarray(position, start), bytes.subarray(start, end));
    position = end;
  }
  pieces.push(bytes.subarray(position));
  return Buffer.concat(pieces);
}
