import fc from "fast-check";
import { expect, it } from "vitest";
import { applyEdit, renderEdit } from "../../../src/files/shared/edit-file.js";

const bytes = (size: object) => fc.uint8Array(size).map((array) => Buffer.from(array));

/** A content, and what is made of it: pieces of it in any order, and new bytes. */
const changes = bytes({ minLength: 1, maxLength: 300 }).chain((some) => {
  const before = Buffer.alloc(64 * 1024 + some.length, some);
  const place = fc.nat({ max: before.length });
  const taken = fc.tuple(place, place).map(([a, b]) => before.subarray(Math.min(a, b), Math.max(a, b)));
  return fc.tuple(fc.constant(before), fc.array(fc.oneof(taken, bytes({ maxLength: 20 })), { maxLength: 6 }));
});

it("makes the new content of the one before, and is never a large part of that", () => {
  fc.assert(
    fc.property(changes, ([before, parts]) => {
      const edit = renderEdit(before, parts);
      if (edit === undefined) return;
      expect(edit.length).toBeLessThanOrEqual(before.length / 4);
      expect(applyEdit(before, edit)?.equals(Buffer.concat(parts))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

it("holds only what is new, wherever in the memory of a larger buffer the content is", () => {
  const before = Buffer.from(`beside ${"line\n".repeat(20_000)}`).subarray(7);
  const parts = [before.subarray(0, 500), Buffer.from("new\n"), before.subarray(600)];
  const edit = renderEdit(before, parts) ?? Buffer.alloc(0);
  expect(String(edit)).toBe("[[0,500],4,[600,100000]]\nnew\n");
  expect(applyEdit(Buffer.from(before), edit)).toEqual(Buffer.concat(parts));
});

it("is not made where most of the content is new, or stands in another order", () => {
  const before = Buffer.from("line\n".repeat(20_000));
  expect(renderEdit(before, [Buffer.from(before.subarray(5))])).toBeUndefined();
  expect(renderEdit(before, [before.subarray(50_000), before.subarray(0, 50_000)])).toBeUndefined();
});

it("is not made of a small content, which is copied as quickly", () => {
  const before = Buffer.from("line\n".repeat(1000));
  expect(renderEdit(before, [before.subarray(5)])).toBeUndefined();
});

it.each([
  ["empty", ""],
  ["zeros, as a loss of power leaves it", "\0".repeat(40)],
  ["cut in its line", "[[0,5],4"],
  ["cut in its bytes", "[[0,5],4]\nnew"],
  ["longer than it says", "[[0,5],4]\nnews!"],
  ["of something else", '[[0,5],"four"]\nnews'],
  ["of places that cannot be", "[[-1,5],4]\nnews"],
  ["of more than there is", "[[0,5000000000],4]\nnews"],
  ["that takes the same again and again", `[${"[0,6],".repeat(100_000)}4]\nnews`],
])("says nothing when it is damaged: %s", (_, text) => {
  expect(applyEdit(Buffer.from("before"), Buffer.from(text))).toBeUndefined();
});
