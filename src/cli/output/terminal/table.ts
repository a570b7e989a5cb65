import { displayWidth, pad, truncate } from "./display-width.js";
import { oneLine } from "./printable.js";
import type { Terminal } from "./terminal.js";

const gap = 2;
const minWidth = 8;

/** Columns are as wide as their content; on a narrow screen the widest ones shrink, except the first. */
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
 * Shrinks the widest column until the row fits. The first column holds the id and is never cut; the last one holds the
 * content and counts as half as wide.
 */
function fitWidths(needed: readonly number[], available: number): number[] {
  const widths = needed.map((width) => Math.min(width, available));
  const last = widths.length - 1;
  const weight = (column: number) => (widths[column] ?? 0) / (column === last ? 2 : 1);
  for (let excess = sum(widths) - available; excess > 0; excess -= 1) {
    const shrinkable = [...widths.keys()].slice(1).filter((column) => (widths[column] ?? 0) > minWidth);
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
