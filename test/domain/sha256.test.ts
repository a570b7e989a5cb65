import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { sha256 } from "../../src/domain/sha256.js";

const expected = (content: string | Uint8Array) => createHash("sha256").update(content).digest("hex");

it("is SHA-256 of texts and bytes of any length", () => {
  for (let length = 0; length < 450; length += 1) {
    const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 37 + length) % 256));
    expect(sha256(bytes)).toBe(expected(bytes));
  }
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
      expect(sha256(text)).toBe(expected(text));
    }),
  );
});
