import { describe, expect, it } from "vitest";
import { editDistance, nearest } from "../../src/text/nearest.js";

describe("the nearest word", () => {
  it("is the one with the fewest typos", () => {
    expect(nearest("serch", ["add", "search", "show"])).toBe("search");
    expect(nearest("memories.buget", ["memories.budget", "memories.inject"])).toBe("memories.budget");
  });

  it("is undefined if all are too far away", () => {
    expect(nearest("xyz", ["search", "show"])).toBeUndefined();
  });

  it("counts a swap of neighbours as one typo", () => {
    expect(editDistance("teh", "the")).toBe(1);
    expect(editDistance("kitten", "sitting")).toBe(3);
  });
});
