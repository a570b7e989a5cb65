import { displayWidth, pad, truncate } from "./display-width.js";
import { oneLine } from "./printable.js";
import type { Terminal } from "./terminal.js";

const gap = 2;
const leastFlexibleWidth = 20;

/** Rows below a heading, as wide as they need; the last column gives way where the screen is narrower. */
export function renderTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  terminal: Terminal,
): string {
  const cells = rows.map((row) => row.map(oneLine));
  const widths = headings.map((heading, column) =>
    Math.max(displayWidth(heading), ...cells.map((row) => displayWidth(row[column] ?? ""))),
  );
  const fixed = widths.slice(0, -1).reduce((sum, width) => sum + width + gap, 0);
  const lastWidth = Math.max(leastFlexibleWidth, terminal.width - fixed);
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? truncate(cell, lastWidth) : pad(cell, (widths[column] ?? 0) + gap),
      )
      .join("")
      .trimEnd();
  const heading = line(headings);
  return [terminal.hasColor ? `\u001b[1m${heading}\u001b[0m` : heading, ...cells.map(line), ""].join("\n");
}
