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

/** Takes from the widest column until all fit; the first one, which names the row, stays whole. */
function fitWidths(needed: readonly number[], available: number): number[] {
  const widths = [...needed];
  for (;;) {
    const excess = widths.reduce((sum, width) => sum + width, 0) - available;
    const widest = widths
      .slice(1)
      .reduce((best, width, index) => (width > (widths[best] ?? 0) ? index + 1 : best), 1);
    const width = widths[widest] ?? 0;
    if (excess <= 0 || width <= leastWidth) return widths;
    const next = widths.slice(1).filter((_, index) => index + 1 !== widest);
    // Down to the next widest column at a time, so that equally wide ones share what is missing.
    widths[widest] = Math.max(leastWidth, width - excess, Math.min(width - 1, Math.max(...next, leastWidth)));
  }
}
