import { describe, expect, it } from "vitest";
import { editDistance, nearest } from "../../src/text/nearest.js";

describe("the nearest word", () => {
  it("is the one with the fewest slips", () => {
    expect(nearest("serch", ["add", "search", "show"])).toBe("search");
    expect(nearest("memories.buget", ["memories.budget", "memories.inject"])).toBe("memories.budget");
  });

  it("is none when all are far away", () => {
    expect(nearest("xyz", ["search", "show"])).toBeUndefined();
  });

  it("counts a swap of neighbours as one slip", () => {
    expect(editDistance("teh", "the")).toBe(1);
    expect(editDistance("kitten", "sitting")).toBe(3);
  });
});
