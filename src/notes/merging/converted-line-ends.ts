import { linesOf } from "../lines.js";

type LineEnd = "\n" | "\r\n";

/** The line end that one side gave to all lines of a file, some of which had another; undefined if none did. */
export function convertedLineEnd(base: string, ours: string, theirs: string): LineEnd | undefined {
  return [ours, theirs].map((side) => conversion(base, side)).find((lineEnd) => lineEnd !== undefined);
}

export function withLineEnd(text: string, lineEnd: LineEnd): string {
  return text.replace(/\r?\n/g, lineEnd);
}

function conversion(base: string, side: string): LineEnd | undefined {
  const lineEnd = onlyLineEnd(side);
  if (lineEnd === undefined) return undefined;
  // By a line that is still there: who removed the only one with another end converted nothing.
  const kept = new Set([...linesOf(side)].map(({ text }) => text));
  const isConverted = [...linesOf(base)].some(
    ({ text, next }) =>
      text !== "" && kept.has(text) && (onlyLineEnd(base.slice(next - 2, next)) ?? lineEnd) !== lineEnd,
  );
  return isConverted ? lineEnd : undefined;
}

/** The line end of all lines. */
function onlyLineEnd(text: string): LineEnd | undefined {
  const count = (end: string) => text.split(end).length - 1;
  const [all, long] = [count("\n"), count("\r\n")];
  if (all === 0) return undefined;
  return long === all ? "\r\n" : long === 0 ? "\n" : undefined;
}
