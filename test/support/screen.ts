import { displayWidth } from "../../src/cli/output/terminal/display-width.js";

/** A small terminal: what a person sees after some output. Knows the codes that Ralph writes, and keeps what scrolled away. */
export function openScreen(columns: number) {
  const lines: string[][] = [[]];
  const unknown: string[] = [];
  let [row, column] = [0, 0];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes begin with one
  const parts = /\u001b\[([\d;?]*)([A-Za-z])|\u001b.|[\s\S]/gu;

  function line(at: number): string[] {
    while (lines.length <= at) lines.push([]);
    return lines[at] ?? [];
  }

  function put(character: string): void {
    const width = displayWidth(character);
    if (width > 0 && column + width > columns) {
      row += 1;
      column = 0;
    }
    const cells = line(row);
    while (cells.length < column) cells.push(" ");
    if (width === 0) cells[column - 1] += character;
    else {
      cells[column] = character;
      for (let more = 1; more < width; more += 1) cells[column + more] = "";
      column += width;
    }
  }

  return {
    write(output: string): void {
      for (const [part, count = "", code] of output.matchAll(parts)) {
        if (part === "\r") column = 0;
        else if (part === "\n") row += 1;
        else if (code === "A") row = Math.max(0, row - Number(count || 1));
        else if (code === "K") line(row).splice(column);
        else if (code === "J") {
          line(row).splice(column);
          lines.splice(row + 1);
        } else if (code === "m") continue;
        else if (code !== undefined || part < " ") unknown.push(part);
        else put(part);
      }
    },
    /** All that was written, without the spaces at the ends of lines. */
    text: () => lines.map((cells) => cells.join("").trimEnd()),
    unknownCodes: () => unknown,
    cursor: () => ({ row, column }),
  };
}
