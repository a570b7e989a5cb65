import { describe, expect, it } from "vitest";
import { fingerprint, normaliseText } from "../../src/text/fingerprint.js";

describe("fingerprints", () => {
  it("are equal for texts that differ only in case and white space", () => {
    const print = (text: string) => fingerprint(normaliseText(text));
    expect(print("Uses  Barrel\nexports ")).toBe(print("uses barrel exports"));
    expect(print("uses barrel exports")).not.toBe(print("uses barrel export"));
  });

  it("rarely collide: a hundred thousand different texts have different ones", () => {
    const prints = new Set(Array.from({ length: 100_000 }, (_, index) => fingerprint(`note ${index}`)));
    expect(prints.size).toBe(100_000);
  });
});
