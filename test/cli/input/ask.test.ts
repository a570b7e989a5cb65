import { expect, it } from "vitest";
import { ask } from "../../../src/cli/input/ask.js";

it("a question is asked once everything before it is written", async () => {
  const unwritten = new Error("the output is gone");
  await expect(ask("Sure?", { settled: () => Promise.reject(unwritten) })).rejects.toBe(unwritten);
});
