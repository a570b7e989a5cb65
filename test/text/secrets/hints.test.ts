import { describe, expect, it } from "vitest";
import { hintsOf } from "../../../src/text/secrets/hints.js";

describe("a long word in a text", () => {
  it("is seen wherever it begins, and only if it has sixteen characters", () => {
    for (let before = 0; before < 40; before += 1)
      for (const length of [1, 14, 15, 16, 17, 31, 32, 40])
        for (const after of ["", " ", " é".repeat(20)]) {
          const text = `${" ".repeat(before)}${"x".repeat(length)}${after}`;
          expect(hintsOf(text).hasLongWord).toBe(/[\w+/=.~-]{16}/.test(text));
        }
    expect(hintsOf("ab cd ".repeat(50)).hasLongWord).toBe(false);
  });
});
