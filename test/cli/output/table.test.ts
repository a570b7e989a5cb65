import { describe, expect, it } from "vitest";
import { displayWidth, truncate } from "../../../src/cli/output/terminal/display-width.js";
import { oneLine } from "../../../src/cli/output/terminal/style.js";
import { renderTable } from "../../../src/cli/output/terminal/table.js";
import type { Terminal } from "../../../src/cli/output/terminal/terminal.js";

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
    expect(lines.slice(1)).toEqual([
      "mem-1   🔄 pattern   a rather long content that",
      "                     does not fit into the …",
      "mem-22  ⚖️ decision  数据库连接被拒绝，请先启动容",
      "                     器，然后再运行测试。数据库连…",
    ]);
  });

  it("leaves out what cannot shrink where its last column would have no room at all", () => {
    const columns = ["ID", { title: "TYPE" }, "CONTENT"];
    const rows = [["mem-1794955755-635e", "⚖️ decision", "Prices are in cents, never in euros"]];
    expect(renderTable(columns, rows, terminal(40)).split("\n")).toEqual([
      "ID                   CONTENT",
      "mem-1794955755-635e  Prices are in",
      "                     cents, never in …",
      "",
    ]);
    expect(renderTable(columns, rows, terminal(60))).toContain("⚖️ decision");
  });

  const explained = [
    "ID",
    { title: "SCORE", drop: 1 },
    "STATEMENT",
    { title: "WHY", isBelow: true },
    { title: "PARTS", isBelow: true },
  ] as const;
  const why = "met in 62 % of the failed attempts that changed the same files, and in no other";
  const entries = [
    ["mem-1", "0.91", "Start the container before the tests", why, "words +0.40"],
    ["mem-2", "0.45", "Write the output to a folder of the task", "", ""],
  ];

  it("puts columns below a row where they do not fit beside it, in full, and empty ones nowhere", () => {
    expect(renderTable(explained, entries, terminal(80)).split("\n")).toEqual([
      "ID     SCORE  STATEMENT",
      "mem-1  0.91   Start the container before the tests",
      `    WHY    ${why}`,
      "    PARTS  words +0.40",
      "mem-2  0.45   Write the output to a folder of the task",
      "",
    ]);
  });

  it("has all columns side by side where they fit", () => {
    const [heading, first] = renderTable(explained, entries, terminal(200)).split("\n");
    expect(heading).toMatch(/^ID +SCORE +STATEMENT +WHY +PARTS$/);
    expect(first).toContain(`${why}  words +0.40`);
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
    ["数据", 4],
    ["데이터", 6],
    ["ﾃﾞｰﾀ", 4],
    ["ＡＢ　", 6],
    ["naïve – “x” → …", 15],
    ["🔧", 2],
    ["⏳⚪⬛🀄🆕", 10],
    ["✓", 1],
    // An emoji only by the mark behind it
    ["⚖", 1],
    ["⚖️", 2],
    ["1️⃣", 2],
    // Emoji that are joined to one
    ["👩‍👩‍👧‍👦", 2],
    ["🤷🏽‍♂️", 2],
    ["❤️‍🔥", 2],
    ["👍🏽👍", 4],
    // Flags, each of two letters or of a black flag with its letters in tags
    ["🇩🇪", 2],
    ["🇩🇪🇫🇷", 4],
    ["🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2],
    // Marks upon letters
    ["e\u0301", 1],
    ["Z\u0351\u036b\u0343", 1],
    ["か\u3099", 2],
    ["שָׁלוֹם", 4],
    ["हिन्दी", 5],
    ["ที่", 1],
    ["\u1112\u1161\u11ab", 2],
    ["a\u200bb\u200fc\ufeff", 3],
  ])("%j takes %i columns", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it("is nothing for every mark that Unicode knows", () => {
    const marks = Array.from({ length: 0x1_0ffff }, (_, code) => code).filter(
      (code) => code > 0x2ff && /[\p{Mn}\p{Me}\p{Cf}]/u.test(String.fromCodePoint(code)),
    );
    expect(marks.length).toBeGreaterThan(2_000);
    // The two that make an emoji of what is before them.
    const emoji = new Set([0xfe0f, 0x20e3]);
    const wide = marks.filter(
      (code) => !emoji.has(code) && displayWidth(`x${String.fromCodePoint(code)}`) > 1,
    );
    expect(wide.map((code) => code.toString(16))).toEqual([]);
  });

  it("is kept when text is cut, between what a reader sees as characters", () => {
    expect(truncate("数据库", 4)).toBe("数…");
    expect(truncate("a👩‍👩‍👧‍👦bc", 4)).toBe("a👩‍👩‍👧‍👦…");
    expect(truncate("a👩‍👩‍👧‍👦bc", 3)).toBe("a…");
    expect(truncate("e\u0301e\u0301e\u0301", 2)).toBe("e\u0301…");
  });
});
