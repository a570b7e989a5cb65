import { describe, expect, it } from "vitest";
import { judgeRanking } from "../../src/recall/judge-ranking.js";
import { coverage, questionOf } from "../../src/recall/question.js";

describe("the words that a text shares with a question", () => {
  it.each([
    ["retry", "retried thrice"],
    ["retries", "retry thrice"],
    ["query", "queries are slow"],
    ["planning", "We planned the rollout"],
    ["cache", "Always reset the user_cache helper"],
    ["cache", "resetUserCache must be called"],
    ["userById", "getUserById throws"],
    ["url", "DATABASE_URL unset"],
    ["foo.bar", "foo_bar breaks"],
    ["dns", "DNS1 fails"],
    ["café", "The cafe\u0301 service needs a key"],
    ["cafe\u0301", "The café service needs a key"],
    ["cafe", "The café service needs a key"],
    ["café", "The cafe service needs a key"],
    ["naive", "naïve bayes filter"],
    ["istanbul", "İstanbul region is slow"],
    ["İSTANBUL", "istanbul region is slow"],
    ["fullwidth", "ｆｕｌｌｗｉｄｔｈ input breaks"],
    ["ｆｕｌｌｗｉｄｔｈ", "fullwidth input breaks"],
    ["서버", "서버가 느리다"],
  ])("are found for %j in %j", (question, text) => {
    expect(coverage(questionOf(question), text)).toBeGreaterThan(0);
  });

  it.each([
    ["cat", "categories are slow"],
    ["port", "The import fails"],
    ["url", "curl fails"],
    ["dns", "dnsmasq2 fails"],
    ["cafe", "caffeine"],
    ["1", "x1 fails"],
    ["", "anything"],
  ])("are not there for %j in %j", (question, text) => {
    expect(coverage(questionOf(question), text)).toBe(0);
  });

  it("count less where they are there only in another form", () => {
    const question = questionOf("retry");
    expect(coverage(question, "retry thrice")).toBe(1);
    expect(coverage(question, "retried thrice")).toBeLessThan(1);
  });
});

describe("a judged ranking", () => {
  it("keeps what shares a word only in another form, and drops what shares none", () => {
    const judged = judgeRanking(
      questionOf("retry the query"),
      ["retried queries", "unrelated", "retry it"],
      (text) => text,
    );
    expect(judged.map(({ item }) => item)).toEqual(["retried queries", "retry it"]);
  });
});
