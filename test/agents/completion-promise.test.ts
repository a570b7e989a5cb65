import { describe, expect, it } from "vitest";
import { completionInstruction, hasPromise } from "../../src/agents/completion-promise.js";
import { growsLinearly } from "../support/grows-linearly.js";

describe("a promise of completion", () => {
  it.each([
    "<promise>COMPLETE</promise>",
    "Done. <promise>COMPLETE</promise>",
    "All tests pass.\n\n<promise>COMPLETE</promise>\n",
    "All tests pass <promise>COMPLETE</promise>.",
    "**<promise>COMPLETE</promise>**",
    "I changed two files.\n\n<promise> COMPLETE </promise>",
    "COMPLETE",
    "Everything works.\n\nCOMPLETE\n\n",
    "Everything works.\r\n**COMPLETE**\r\n",
    "I ran:\n```\nnpm test\n```\n<promise>COMPLETE</promise>",
    "When I ran the tests they failed. Now they pass. <promise>COMPLETE</promise>",
  ])("is in %j", (text) => {
    expect(hasPromise(text)).toBe(true);
  });

  it.each([
    "",
    "complete",
    "Incomplete",
    "The task is COMPLETE",
    "COMPLETE is what I will say.",
    "COMPLETE\nNo, wait: a test fails.",
    "<promise>COMPLETE</promise>\nWait, 3 tests still fail.",
    "<promise>COMPLETE</promise>\n\n```\n3 failed\n```",
    "<promise>COMPLETE</promise> Wait, 3 tests still fail.",
    "I will print <promise>COMPLETE</promise> when the tests pass.",
    "I cannot end with <promise>COMPLETE</promise>",
    "I will not yet write <promise>COMPLETE</promise>",
    "`<promise>COMPLETE</promise>`",
    'You asked for "<promise>COMPLETE</promise>"',
    "```\n<promise>COMPLETE</promise>\n```",
    "```\n<promise>COMPLETE</promise>",
    "> <promise>COMPLETE</promise>",
    '<event topic="done">\n<promise>COMPLETE</promise>\n</event>',
    '<event topic="done">\nCOMPLETE',
    "<promise>NOT COMPLETE</promise>",
    "<promise></promise>",
    "<promise>COMPLETE",
    completionInstruction(),
    `You said: ${completionInstruction()}`,
    completionInstruction().replaceAll("`", ""),
  ])("is not in %j", (text) => {
    expect(hasPromise(text)).toBe(false);
  });

  it("may be another word", () => {
    expect(hasPromise("ok\nALL_GREEN", "ALL_GREEN")).toBe(true);
    expect(hasPromise("<promise>ALL GREEN</promise>", "ALL GREEN")).toBe(true);
    expect(hasPromise("COMPLETE", "ALL_GREEN")).toBe(false);
  });

  it.each(["<promise>", "<event ", "```\n", "<promise> ", "` ", "> \n", "COMPLETE "])(
    "is looked for in time that grows with the text alone: %j",
    (piece) => {
      expect(growsLinearly((count) => hasPromise(piece.repeat(count)), 100_000)).toBe(true);
    },
  );
});
