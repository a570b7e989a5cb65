import { describe, expect, it } from "vitest";
import { shapeQuery } from "../../src/search/question.js";

describe("a question", () => {
  it("that is short stays as it is", () => {
    expect(shapeQuery("why is the database connection refused")).toBe(
      "why is the database connection refused",
    );
  });

  it("as long as an issue is cut to its beginning, at the end of a word", () => {
    const shaped = shapeQuery(`hist() ignores range\n${"some detail ".repeat(200)}`);
    expect(shaped).toMatch(/^hist\(\) ignores range\n/);
    expect(shaped.length).toBeLessThanOrEqual(500);
    expect(shaped).toMatch(/(?:some|detail)$/);
  });

  it("loses what a template says in comments, unless that is all there is", () => {
    const comment = `<!-- ${"please fill out the form ".repeat(40)} -->`;
    expect(shapeQuery(`Title\n${comment}\nBody`)).not.toContain("fill out");
    expect(shapeQuery(comment)).toContain("fill out");
  });
});
