import { appendSpan, cutSpan, lineEndOf } from "./span-at-end.js";

/** The lines between which a block of ours stands in a file of somebody else. */
export interface BlockMarks {
  start: string;
  end: string;
}

/** The text with the block: in the place of an earlier one, or else at the end. */
export function putBlock(text: string | undefined, marks: BlockMarks, content: string): string {
  const lines = [marks.start, ...content.trimEnd().split("\n"), marks.end];
  const found = text === undefined ? undefined : findBlock(text, marks);
  if (text === undefined || found === undefined) return appendSpan(text, lines);
  return text.slice(0, found.start) + lines.join(lineEndOf(text)) + text.slice(found.end);
}

/** The text without the block, as it was before; undefined if there was no file. */
export function cutBlock(text: string, marks: BlockMarks): string | undefined {
  const found = findBlock(text, marks);
  return found === undefined ? text : cutSpan(text, found);
}

/** Where the block stands, and what is in it. */
export function findBlock(
  text: string,
  { start, end }: BlockMarks,
): { start: number; end: number; content: string } | undefined {
  const { from, to } = lastPair(text, start, end);
  if (to === -1) return undefined;
  const content = text.slice(from + start.length, to).replace(/^\r?\n/, "");
  return { start: from, end: to + end.length, content: content.replaceAll("\r\n", "\n") };
}

/** A first mark without a second one may be a remainder that somebody left. */
function lastPair(text: string, start: string, end: string): { from: number; to: number } {
  let pair = { from: -1, to: -1 };
  for (let from = indexOfLine(text, start, 0); from !== -1; from = indexOfLine(text, start, from + 1)) {
    const to = indexOfLine(text, end, from + start.length);
    if (to !== -1) pair = { from, to };
  }
  return pair;
}

/** Where a line begins that consists of nothing else. */
function indexOfLine(text: string, line: string, from: number): number {
  for (let at = text.indexOf(line, from); at !== -1; at = text.indexOf(line, at + 1)) {
    const after = text[at + line.length];
    const isLineStart = at === 0 || text[at - 1] === "\n";
    if (isLineStart && (after === undefined || after === "\n" || after === "\r")) return at;
  }
  return -1;
}
