/** The block between two `---` lines at the start of a file, and the text after it. */
export interface SplitText {
  /** Includes both `---` lines; empty when there is no block. */
  block: string;
  rest: string;
}

export const opening = /^\u{feff}?---[ \t]*\r?\n/u;
export const closing = /^---[ \t]*(?:\r?\n|$)/m;

export function splitFrontMatter(text: string): SplitText {
  const [first] = opening.exec(text) ?? [];
  if (first === undefined) return { block: "", rest: text };
  const end = closing.exec(text.slice(first.length));
  // A single `---` line is a horizontal rule.
  if (end === null) return { block: "", rest: text };
  const length = first.length + end.index + end[0].length;
  return { block: text.slice(0, length), rest: text.slice(length) };
}
