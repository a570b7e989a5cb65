import { describe, expect, it } from "vitest";
import { wordsOf } from "../../src/loop/record-actions.js";

describe("the agent's words", () => {
  it("are how its message begins, without what Ralph asked it to write", () => {
    expect(
      wordsOf("The total is rounded now.\nLearned: round at the end\n<promise>COMPLETE</promise>\n"),
    ).toBe("The total is rounded now.");
    expect(wordsOf("<promise>COMPLETE</promise>")).toBe("");
    expect(wordsOf("")).toBe("");
  });

  it("are sentences: no code, no marks, no more than a few", () => {
    expect(wordsOf("```sh\nnpm test\n```\n## Fixed the lock\n\nDetails follow.")).toBe("Fixed the lock");
    const said = wordsOf(
      `I moved the lock into the pool. ${"It was in the wrong place before. ".repeat(20)}`,
    );
    expect(said).toMatch(/^I moved the lock into the pool\. .*before\.$/);
    expect(said.length).toBeLessThanOrEqual(280);
    expect(wordsOf("word ".repeat(300)).length).toBeLessThanOrEqual(282);
  });

  it("are the end of a long log", () => {
    const log = `agent v1.2\n\n${"reading file\n".repeat(400)}\n\nThe pool closes its clients now.\n`;
    expect(wordsOf(log)).toBe("The pool closes its clients now.");
  });
});
