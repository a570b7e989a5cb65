import { displayWidth, pad, truncate } from "./display-width.js";
import { oneLine, style } from "./style.js";
import type { Terminal } from "./terminal.js";

const gap = 2;
const minWidth = 8;
/** What the last column should have, before others are left out for it. */
const readableWidth = 32;
/** What it must have: for this, columns go that are otherwise kept whole. */
const leastWidth = 16;
const maxLines = 2;

const belowIndent = 4;

/** A column that is never cut; `drop` says which ones are left out first on a narrow screen: 1 before 2. */
export interface Column {
  title: string;
  drop?: number;
  /** On a narrow screen each of its cells has a line below its row, in full; an empty one has none. */
  isBelow?: true;
}

/**
 * Columns are as wide as their content. On a narrow screen the least important ones are left out or go below, the others shrink,
 * and the last one, which holds the content, goes on in a second line. The first column holds the id, and is never cut.
 */
export function renderTable(
  headings: readonly (string | Column)[],
  rows: readonly (readonly string[])[],
  terminal: Terminal,
): string {
  const columns = headings.map((heading) => (typeof heading === "string" ? { title: heading } : heading));
  const isWhole = headings.map((heading, column) => typeof heading !== "string" || column === 0);
  const cells = rows.map((row) => row.map(oneLine));
  const needed = columns.map(({ title }, column) =>
    cells.reduce((width, row) => Math.max(width, displayWidth(row[column] ?? "")), displayWidth(title)),
  );
  const isEmpty = (column: number) => column > 0 && cells.every((row) => (row[column] ?? "") === "");
  const filled = [...columns.keys()].filter((column) => !terminal.isScreen || !isEmpty(column));
  const below = takesOf(filled, needed) > terminal.width ? filled.filter((at) => columns[at]?.isBelow) : [];
  const beside = filled.filter((column) => !below.includes(column));
  const shown = chooseColumns(columns, isWhole, beside, needed, terminal.width);
  const widths = fitWidths(
    shown.map((column) => needed[column] ?? 0),
    shown.map((column) => isWhole[column] ?? false),
    terminal.width - gap * (shown.length - 1),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => pad(truncate(cell, widths[index] ?? 0), widths[index] ?? 0))
      .join(" ".repeat(gap))
      .trimEnd();
  const titleWidth = Math.max(...below.map((column) => displayWidth(columns[column]?.title ?? "")));
  // The terminal breaks them between words.
  const linesBelow = (row: readonly string[]) =>
    below
      .filter((column) => (row[column] ?? "") !== "")
      .map((column) => {
        const { title } = columns[column] ?? { title: "" };
        const space = " ".repeat(titleWidth - displayWidth(title) + gap);
        return `${" ".repeat(belowIndent)}${style(title, "dim", terminal)}${space}${row[column]}`;
      });
  const last = shown.length - 1;
  const room = widths[last] ?? 0;
  const margin = widths.slice(0, last).reduce((sum, width) => sum + width + gap, 0);
  const lines = (row: readonly string[]) => {
    const picked = shown.map((column) => row[column] ?? "");
    const [first = "", ...more] = last === 0 ? [picked[0] ?? ""] : wrapCell(picked[last] ?? "", room);
    return [
      line([...picked.slice(0, last), first]),
      ...more.map((part) => " ".repeat(margin) + part),
      ...linesBelow(row),
    ];
  };
  const heading = line(shown.map((column) => columns[column]?.title ?? ""));
  return [style(heading, "bold", terminal), ...cells.flatMap(lines), ""].join("\n");
}

/** How wide a row with all of these columns is. */
function takesOf(columns: readonly number[], needed: readonly number[]): number {
  return columns.reduce((sum, column) => sum + (needed[column] ?? 0), gap * (columns.length - 1));
}

/** Leaves out columns until the last one can be read; if need be, also those that are not meant to be left out and cannot shrink. */
function chooseColumns(
  columns: readonly Column[],
  isWhole: readonly boolean[],
  filled: readonly number[],
  needed: readonly number[],
  width: number,
): number[] {
  const droppable = filled
    .filter((column) => columns[column]?.drop !== undefined)
    .toSorted((one, other) => (columns[one]?.drop ?? 0) - (columns[other]?.drop ?? 0));
  const readable = leaveOut(filled, droppable, needed, { width, wanted: readableWidth });
  const content = filled.at(-1);
  const shrunk = needed.map((each, column) =>
    isWhole[column] || column === content ? each : Math.min(each, minWidth),
  );
  const whole = readable.slice(1, -1).filter((column) => isWhole[column]);
  return leaveOut(readable, whole.toReversed(), shrunk, { width, wanted: leastWidth });
}

/** Leaves out columns in this order until the last one has the room that is wanted for it. */
function leaveOut(
  columns: readonly number[],
  order: readonly number[],
  needed: readonly number[],
  { width, wanted }: { width: number; wanted: number },
): number[] {
  let shown = [...columns];
  const content = columns.at(-1) ?? 0;
  for (const column of order) {
    const others = shown.filter((each) => each !== content);
    if (takesOf(others, needed) + gap + Math.min(needed[content] ?? 0, wanted) <= width) break;
    shown = shown.filter((each) => each !== column);
  }
  return shown;
}

/** A cell on at most two lines, broken between words. */
function wrapCell(cell: string, width: number): string[] {
  if (displayWidth(cell) <= width) return [cell];
  const lines: string[] = [];
  let rest = cell;
  while (lines.length < maxLines - 1) {
    const fitting = truncate(rest, width + 1).slice(0, -1);
    const end = rest.charAt(fitting.length) === " " ? fitting.length : fitting.lastIndexOf(" ");
    if (end >= fitting.length / 2) {
      lines.push(rest.slice(0, end));
      rest = rest.slice(end + 1);
    } else if (displayWidth(fitting.at(-1) ?? "") === 2) {
      // Ideographs are not separated by spaces.
      lines.push(fitting);
      rest = rest.slice(fitting.length);
    } else break;
    if (displayWidth(rest) <= width) break;
  }
  return [...lines, cutAtWord(rest, width)];
}

/** Cut between words, if there is a space near the end. */
function cutAtWord(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const cut = truncate(text, width - 1);
  const end = cut.lastIndexOf(" ");
  return end < cut.length / 2 ? truncate(text, width) : `${cut.slice(0, end)} …`;
}

/** Shrinks the widest column until the row fits; the last one holds the content and counts as half as wide. */
function fitWidths(needed: readonly number[], isWhole: readonly boolean[], available: number): number[] {
  const widths = needed.map((width) => Math.min(width, available));
  const last = widths.length - 1;
  const weight = (column: number) => (widths[column] ?? 0) / (column === last ? 2 : 1);
  for (let excess = sum(widths) - available; excess > 0; excess -= 1) {
    const shrinkable = [...widths.keys()].filter(
      (column) => column > 0 && !isWhole[column] && (widths[column] ?? 0) > minWidth,
    );
    const widest = shrinkable.reduce(
      (best, column) => (weight(column) > weight(best) ? column : best),
      shrinkable[0] ?? 0,
    );
    if (shrinkable.length === 0) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
