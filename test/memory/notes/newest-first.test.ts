import { describe, expect, it } from "vitest";
import { newestFirst } from "../../../src/memory/notes/search-notes.js";

const at = (time: number, content: string) => ({ time, content });

describe("found notes", () => {
  it("stand in their order, but one that takes the place of an older one stands before it", () => {
    const older = at(1, "The staging server runs on port 8080");
    const other = at(2, "Releases are cut on Mondays");
    const newer = at(3, "The staging server now runs on port 9090");
    expect(newestFirst([older, other, newer], 10)).toEqual([newer, older, other]);
    expect(newestFirst([newer, other, older], 10)).toEqual([newer, other, older]);
  });

  it("keep their order when the words do not make it plain", () => {
    const one = at(1, "The staging server runs on port 8080");
    const two = at(2, "The production server runs on port 9090");
    expect(newestFirst([one, two], 10)).toEqual([one, two]);
  });

  it("are left alone where they are long", () => {
    const long = "The staging server runs on port 8080. ".repeat(30);
    const found = [at(1, long), at(2, long.replaceAll("8080", "9090"))];
    expect(newestFirst(found, 10)).toEqual(found);
  });
});
