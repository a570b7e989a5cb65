import { describe, expect, it } from "vitest";
import { displayWidth, truncate } from "../../../../src/cli/output/terminal/display-width.js";
import { oneLine } from "../../../../src/cli/output/terminal/printable.js";
import { renderTable } from "../../../../src/cli/output/terminal/table.js";
import type { Terminal } from "../../../../src/cli/output/terminal/terminal.js";

const terminal = (width: number): Terminal => ({
  out: () => {},
  talk: () => {},
  width,
  isScreen: true,
  hasColor: false,
  isTalkWatched: true,
});

describe("a table", () => {
  it("fits the screen: its last column gives way", () => {
    const rows = [
      ["mem-1", "🔄 pattern", "a rather long content that does not fit into the width of this screen"],
      ["mem-22", "⚖️ decision", "数据库连接被拒绝，请先启动容器，然后再运行测试。数据库连接被拒绝"],
    ];
    const lines = renderTable(["ID", "TYPE", "CONTENT"], rows, terminal(50)).trimEnd().split("\n");
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(50);
    expect(lines[1]).toMatch(/…$/);
  });

  it("is not cut where it does not go to a screen", () => {
    const long = "x".repeat(500);
    expect(renderTable(["A"], [[long]], terminal(Number.POSITIVE_INFINITY))).toContain(long);
  });

  it("shows no control characters of the content", () => {
    expect(oneLine("a\u001b[31mred\u0007\nnext\tcell")).toBe("a\ufffd[31mred\ufffd ⏎ next cell");
  });
});

describe("the width of text", () => {
  it.each([
    ["plain", 5],
    ["⚖️", 2],
    ["🔧", 2],
    ["数据", 4],
    ["e\u0301", 1],
  ])("%j takes %i columns", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it("is kept when text is cut", () => {
    expect(truncate("数据库", 4)).toBe("数…");
  });
});
