import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defuseChatMarkup } from "../../../src/text/fence/fence.js";
import { mayBeChatMarkup } from "../../../src/text/fence/may-be-markup.js";
import { looksLinearly } from "../../support/grows-linearly.js";

/** A letter as it may be written: in other scripts, as a digit, wide, bold, circled, or with an accent. */
const spellings: Record<string, string[]> = {
  a: ["A", "а", "ａ", "𝐚", "ⓐ", "⍺", "á", "ₐ"],
  h: ["H", "н", "ｈ", "𝐡", "ⓗ", "ℍ", "🄷", "ₕ"],
  i: ["I", "1", "l", "і", "ｉ", "ⓘ"],
  l: ["L", "1", "I"],
  m: ["M", "rn", "м", "𝐦"],
  o: ["O", "0", "о", "ⓞ"],
  s: ["S", "5", "ѕ", "𝐬", "ⓢ"],
  t: ["T", "т", "𝐭"],
  u: ["U", "y", "ս"],
  y: ["Y", "u", "у"],
};
const names = [
  "human",
  "assistant",
  "inst",
  "/inst",
  "sys",
  "system",
  "systemprompt",
  "toolcalls",
  "availabletools",
];
const spelled = fc
  .tuple(
    fc.constantFrom(...names, "antml:inst", "antml human", "|im_start|"),
    fc.infiniteStream(fc.nat({ max: 40 })),
  )
  .map(([name, choices]) =>
    [...name].map((letter) => spellings[letter]?.[choices.next().value ?? 0] ?? letter).join(""),
  );
const filler = fc.constantFrom(
  "",
  "",
  "",
  " ",
  "*",
  "_",
  ".",
  "\u200b",
  "\u2800",
  ">",
  "|",
  "> - 1. ",
  " ".repeat(17),
);
const runs = fc.array(filler, { maxLength: 4 }).map((parts) => parts.join(""));
const lineStart = fc.constantFrom("", "x", "\n", "\r", "\u2028", "\n- ");
const around = fc.constantFrom(
  ...[
    ["[", "]"],
    ["［", "］"],
    ["<", ">"],
    ["＜", "＞"],
    ["‹", ">"],
    ["&lt;", "&gt;"],
    ["&AMP;#x03c;", ">"],
  ],
  ...[
    ["\\u003c", ">"],
    ["%3C", "%3e"],
    ["", ":"],
    ["**", "**："],
    ["", "\n\n:"],
    ["<!-- tags: ", " -->"],
  ],
) as fc.Arbitrary<[string, string]>;
const markup = fc
  .tuple(lineStart, runs, around, runs, spelled, runs)
  .map(
    ([start, before, [open, close], inside, name, after]) =>
      start + before + open + inside + name + after + close,
  );

describe("a quick look for chat markup", () => {
  it("misses nothing that is defused", () => {
    let defused = 0;
    fc.assert(
      fc.property(fc.array(fc.oneof(markup, fc.string()), { minLength: 1, maxLength: 3 }), (parts) => {
        const text = parts.join("");
        if (defuseChatMarkup(text) === text) return;
        defused += 1;
        expect(mayBeChatMarkup(text)).toBe(true);
      }),
      { numRuns: 20_000 },
    );
    expect(defused).toBeGreaterThan(2000);
  });

  it("finds none in what Ralph usually prints", () => {
    for (const text of [
      "Added mem-1700000000-abcd\n",
      "### mem-1700000000-abcd\n> kettle\n<!-- tags: a, b | created: 2025-01-20 -->\n",
      "✓ Wrote a file: notes.md [1 of 4] [task-001]\n",
      "Error: no such task (use --yes)\n",
    ])
      expect(mayBeChatMarkup(text), text).toBe(false);
  });

  it.each(["[", "[ i", "é", "é ", "\u1680", "hhhh ", "hhhh* ", "\r", "\ré   ", "&amp;", "- 1. "])(
    "takes time that grows with the length alone for %j",
    (unit) => {
      expect(looksLinearly(mayBeChatMarkup, unit, 60_000)).toBe(true);
    },
  );
});
