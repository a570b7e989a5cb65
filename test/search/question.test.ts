import { describe, expect, it } from "vitest";
import { parseQuestion, shapeQuery } from "../../src/search/question.js";

const detail = "some more detail about the machine it was seen on ".repeat(40);

describe("the words of a question", () => {
  it("count alike when it is short", () => {
    expect(parseQuestion("why is the database connection refused").words).toEqual([
      { word: "database", weight: 1, isName: false },
      { word: "connection", weight: 1, isName: false },
      { word: "refused", weight: 1, isName: false },
    ]);
  });

  it("count double at the beginning of a long one, and not at all far down", () => {
    const { words } = parseQuestion(
      `The histogram ignores its range. ${detail.slice(0, 200)} thickness ${detail} farewell`,
    );
    const weightOf = (wanted: string) => words.find(({ word }) => word === wanted)?.weight;
    expect(weightOf("histogram")).toBe(2);
    expect(weightOf("thickness")).toBe(1);
    expect(weightOf("farewell")).toBeUndefined();
  });

  it("are looked for further down where they are names", () => {
    const { words } = parseQuestion(
      `The build fails. ${detail} in src/userStore.ts with TS2345 and ECONNREFUSED`,
    );
    const names = words.filter(({ isName }) => isName).map(({ word }) => word);
    expect(names).toEqual(["srcuserstorets", "ts2345", "econnrefused"]);
  });

  it("are not those of a template's comments, unless that is all there is", () => {
    const comment = `<!-- ${"please fill out the form ".repeat(40)} -->`;
    const said = (text: string) => parseQuestion(text).words.map(({ word }) => word);
    expect(said(`Title\n${comment}\nBody`)).not.toContain("form");
    expect(said(comment)).toContain("form");
  });
});

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
