import { shownWidth } from "../terminal/wrap.js";

/** Rows at the bottom of a terminal that are drawn anew, below lines that scroll by. */
interface LiveRegion {
  /** Replaces the rows, after writing lines above them. Text must be free of control characters but for colours. */
  update(rows: readonly string[], above?: readonly string[]): void;
  /** Removes the rows. */
  clear(): void;
}

const up = "\u001b[1A";
const eraseBelow = "\u001b[J";

/**
 * The cursor rests at the start of the last row: what a terminal echoes there, such as ^C, makes no further row. Each update is
 * one write, so that nothing flickers.
 */
export function openLiveRegion(write: (text: string) => void, columns: () => number): LiveRegion {
  let drawn: readonly string[] = [];

  /** A terminal that became narrower has wrapped the rows. */
  const erase = (): string => {
    if (drawn.length === 0) return "";
    const width = Math.max(1, columns());
    const above = drawn
      .slice(0, -1)
      .reduce((sum, row) => sum + Math.max(1, Math.ceil(shownWidth(row) / width)), 0);
    return `\r${up.repeat(above)}${eraseBelow}`;
  };

  return {
    update(rows, above = []) {
      if (above.length === 0 && rows.length === drawn.length && rows.every((row, at) => row === drawn[at]))
        return;
      const lines = above.map((line) => `${line}\n`).join("");
      const text = `${erase()}${lines}${rows.join("\n")}${rows.length > 0 ? "\r" : ""}`;
      drawn = rows;
      write(text);
    },
    clear() {
      if (drawn.length === 0) return;
      const text = erase();
      drawn = [];
      write(text);
    },
  };
}
