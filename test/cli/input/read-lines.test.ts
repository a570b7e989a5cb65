import fc from "fast-check";
import { expect, it } from "vitest";
import { readLines } from "../../../src/cli/input/read-lines.js";
import { growsLinearly } from "../../support/grows-linearly.js";

/** Hands out the bytes in chunks of the given sizes, over and over. */
function handing(bytes: Buffer, sizes: readonly number[]) {
  let at = 0;
  let turn = 0;
  return (chunk: Buffer): number => {
    const size = sizes[turn++ % sizes.length] ?? 1;
    const length = bytes.copy(chunk, 0, at, at + size);
    at += length;
    return length;
  };
}

it("lines are the same however the input is cut", () => {
  const lines = fc.array(fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\n", "")));
  fc.assert(
    fc.property(lines, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (given, sizes) => {
      const read = [...readLines(handing(Buffer.from(`${given.join("\n")}\n`), sizes))];
      const wellFormed = given.map((text) => text.toWellFormed());
      expect(read).toEqual(
        (given.length === 0 ? [""] : wellFormed).map((text, index) => ({ number: index + 1, text })),
      );
    }),
  );
});

it("a line over many chunks takes time that grows with its length alone", () => {
  const work = (length: number) => [...readLines(handing(Buffer.alloc(length, "x"), [4096]))];
  expect(growsLinearly(work, 20_000_000)).toBe(true);
});
