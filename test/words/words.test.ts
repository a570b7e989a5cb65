import { describe, expect, it } from "vitest";
import { typoVariants } from "../../src/search/search-records.js";
import { errorWords } from "../../src/words/error-codes.js";
import { questionWords, wordsOf } from "../../src/words/words.js";

describe("words of a text", () => {
  it.each([
    ["parseConfigFile", ["parseconfigfile", "parse", "config", "file"]],
    ["HTTPServer", ["httpserver", "http", "server"]],
    ["snake_case_name", ["snakecasename", "snake", "case", "name"]],
    ["src/userStore.ts", ["srcuserstorets", "userstorets", "src", "userstore", "user", "store", "ts"]],
    ["TS2345", ["ts2345"]],
    ["it's a test.", ["it", "s", "a", "test"]],
    ["Größe ändern", ["größe", "ändern"]],
    ["größeÄndern", ["größeändern", "größe", "ändern"]],
    ["数据库连接", ["数据", "据库", "库连", "连接"]],
    ["用Docker", ["用", "docker"]],
    ["", []],
    ["!!! ---", []],
  ])("%j gives %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("of a question are those that tell what is looked for", () => {
    expect(questionWords("How do we start the database?")).toEqual(["start", "database"]);
    expect(questionWords("what is it")).toEqual(["what", "is", "it"]);
  });
});

describe("error codes", () => {
  it("are found by what they mean", () => {
    expect(errorWords("ECONNREFUSED on port 5432")).toBe("ECONNREFUSED connection refused");
    expect(errorWords("see TS2345 and E0308")).toBe("TS2345 E0308");
    expect(errorWords("nothing here")).toBe("");
  });
});

describe("typo variants", () => {
  it("hold every word that is one slip away", () => {
    const variants = typoVariants("docker");
    for (const slip of ["dcker", "doccker", "dokcer", "dacker", "odcker", "dockers"])
      expect(variants).toContain(slip);
    expect(variants).not.toContain("docker");
  });
});
