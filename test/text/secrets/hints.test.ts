import { describe, expect, it } from "vitest";
import { hintsOf, isPlain } from "../../../src/text/secrets/hints.js";

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

  it("is made of letters, digits and the marks of tokens, and of nothing else", () => {
    for (let code = 0; code < 300; code += 1) {
      const character = String.fromCharCode(code);
      expect([character, hintsOf(character.repeat(16)).hasLongWord]).toEqual([
        character,
        /[\w+/=.~-]/.test(character),
      ]);
    }
  });
});

describe("a word that tells of secrets", () => {
  const long = (text: string) => `${text} ${"ab cd ".repeat(300)}`;

  it.each([
    ["the PassWord of the database", true],
    ["Contraseña", true],
    ["the PIN is four digits", true],
    ["pinned and spinning", false],
    ["the cache is cold", false],
  ])("is seen in short texts as in long ones: %s", (text, isTold) => {
    expect(hintsOf(text).isTold).toBe(isTold);
    expect(hintsOf(long(text)).isTold).toBe(isTold);
    expect(isPlain(text)).toBe(!isTold);
  });
});
