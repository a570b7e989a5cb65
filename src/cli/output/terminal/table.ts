import { displayWidth, pad, truncate } from "./display-width.js";
import { oneLine } from "./printable.js";
import type { Terminal } from "./terminal.js";

const gap = 2;
const leastWidth = 8;

/** Rows below a heading, as wide as they need; where the screen is narrower, the widest columns but the first give way. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  terminal: Terminal,
): string {
  const cells = rows.map((row) => row.map(oneLine));
  const needed = headings.map((heading, column) =>
    cells.reduce((width, row) => Math.max(width, displayWidth(row[column] ?? "")), displayWidth(heading)),
  );
  const widths = fitWidths(needed, terminal.width - gap * (headings.length - 1));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => pad(truncate(cell, widths[column] ?? 0), widths[column] ?? 0))
      .join(" ".repeat(gap))
      .trimEnd();
  const heading = line(headings);
  return [terminal.hasColor ? `\u001b[1m${heading}\u001b[0m` : heading, ...cells.map(line), ""].join("\n");
}

/**
 * Takes from the widest column until all fit. The first one, which names the row, stays whole; the last one, which says
 * what the row is about, counts as half as wide as it is.
 */
function fitWidths(needed: readonly number[], available: number): number[] {
  const widths = needed.map((width) => Math.min(width, available));
  const last = widths.length - 1;
  const weight = (column: number) => (widths[column] ?? 0) / (column === last ? 2 : 1);
  for (let excess = sum(widths) - available; excess > 0; excess -= 1) {
    const shrinkable = [...widths.keys()].slice(1).filter((column) => (widths[column] ?? 0) > leastWidth);
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
