import { describe, expect, it } from "vitest";
import { learnedLines } from "../../../src/domain/tasks/agent-text.js";

describe("what an agent says it learned", () => {
  it.each([
    "Learned: sessions expire after an hour",
    "  - Learned: sessions expire after an hour",
    "**Learned:** sessions expire after an hour",
    "> *Learned: sessions expire after an hour*",
    "learned: sessions expire after an hour  ",
  ])("is on a line of its own: %j", (line) => {
    expect(learnedLines(`I did it.\n${line}\n\n<promise>COMPLETE</promise>`)).toEqual([
      "sessions expire after an hour",
    ]);
  });

  it.each([
    "I Learned: sessions expire after an hour",
    "Learned:",
    "Learned: too short",
    `Learned: ${"long ".repeat(100)}`,
    "Lessons learned: none at all in this one",
    "Learned: sessions expire after\n[… 812 of 5000 characters left out …]\nand so on",
  ])("is not in %j", (line) => {
    expect(learnedLines(line)).toEqual([]);
  });

  it("is at most the last three, each once", () => {
    const lines = [1, 2, 2, 3, 4].map((number) => `Learned: this is lesson number ${number}`);
    expect(learnedLines(lines.join("\n"))).toEqual([
      "this is lesson number 2",
      "this is lesson number 3",
      "this is lesson number 4",
    ]);
  });
});
