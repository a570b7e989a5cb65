import { describe, expect, it } from "vitest";
import { makeCoverage, toRelevance } from "../../src/recall/relevance.js";
import { parseQuestion } from "../../src/search/question.js";

const coverageOf = (question: string) => makeCoverage([parseQuestion(question)]);

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
    expect(coverageOf(question)(text)).toBeGreaterThan(0);
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
    expect(coverageOf(question)(text)).toBe(0);
  });
});

describe("the relevance of hits", () => {
  const coverage = coverageOf("retry the query");
  const hit = (text: string, score: number) => ({ item: text, text, score });

  it("is their score as a share of the best, where the best covers the question", () => {
    const hits = [hit("retry the query", 8), hit("retry it", 4)];
    expect(toRelevance(coverage, hits).map(({ relevance }) => relevance)).toEqual([1, 0.5]);
  });

  it("is lower throughout where even the best covers little", () => {
    const [best] = toRelevance(coverageOf("retry the query of the ledger migration"), [hit("retry it", 8)]);
    expect(best?.relevance).toBeLessThan(0.7);
  });

  it("drops hits far below the best score", () => {
    const kept = toRelevance(coverage, [hit("retry the query", 10), hit("retry it", 3), hit("query", 2)]);
    expect(kept.map(({ item }) => item)).toEqual(["retry the query", "retry it"]);
  });

  it("trusts the first vector hits without a shared word", () => {
    const found = [hit("unrelated", 0.4), hit("retry it", 0.3)];
    expect(toRelevance(coverage, found, { isByMeaning: true })).toHaveLength(2);
    expect(toRelevance(coverageOf("webhook"), [hit("unrelated", 0.4)])).toEqual([]);
  });
});
