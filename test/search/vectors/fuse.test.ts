import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fuse, type WordHit } from "../../../src/search/vectors/fuse.js";
import { namesIn } from "../../../src/words/words.js";

const hit = (key: string, coverage: number, over: Partial<WordHit> = {}): WordHit => ({
  key,
  coverage,
  similarity: 0,
  isExact: false,
  isVerbatim: false,
  ...over,
});
const keys = (fusion: Parameters<typeof fuse>[0]) => fuse(fusion).map(({ key }) => key);

describe("words and meaning together", () => {
  it("keep the order of the words where meaning counts nothing", () => {
    const byWords = [hit("a", 0.5), hit("b", 0.4, { similarity: 0.9 })];
    expect(keys({ byWords, byMeaning: [{ key: "c", similarity: 1 }], weight: 0 })).toEqual(["a", "b", "c"]);
  });

  it("put what is meant above what shares a word by chance", () => {
    const byWords = [hit("chance", 0.1, { similarity: 0.05 })];
    expect(keys({ byWords, byMeaning: [{ key: "meant", similarity: 0.4 }], weight: 0.3 })).toEqual([
      "meant",
      "chance",
    ]);
  });

  it("do not let what is near push down what holds the whole question", () => {
    const byWords = [hit("whole", 1, { similarity: 0.1 })];
    expect(keys({ byWords, byMeaning: [{ key: "near", similarity: 0.9 }], weight: 0.3 })[0]).toBe("whole");
  });

  it("favour a short question found word for word", () => {
    const byWords = [hit("scattered", 0.6), hit("verbatim", 0.5, { isVerbatim: true })];
    expect(keys({ byWords, byMeaning: [], weight: 0.3 })).toEqual(["verbatim", "scattered"]);
  });

  it("leave a statement above the older one that it replaces", () => {
    const byWords = [hit("newer", 0.8, { similarity: 0.5 }), hit("older", 0.8, { similarity: 0.55 })];
    expect(keys({ byWords, byMeaning: [], weight: 0.5 })).toEqual(["newer", "older"]);
  });

  it("treat a record that waits for its vector like the others", () => {
    const byWords = [hit("waits", 0.5, { similarity: undefined }), hit("has", 0.45, { similarity: 0.3 })];
    expect(keys({ byWords, byMeaning: [], weight: 0.5 })).toEqual(["waits", "has"]);
  });

  it("let meaning count more where words cover little of the question", () => {
    const near = [{ key: "near", similarity: 0.5 }];
    const fused = (coverage: number) =>
      keys({ byWords: [hit("word", coverage)], byMeaning: near, weight: 0.2 });
    expect(fused(0.2)).toEqual(["near", "word"]);
    expect(fused(0.6)).toEqual(["word", "near"]);
  });

  it("let meaning count less beside results without a vector", () => {
    const byWords = [hit("a", 0.6, { similarity: 0 }), hit("b", 0.5, { similarity: 1 })];
    const long = Array.from({ length: 8 }, (_, place) => hit(`long${place}`, 0.4, { similarity: undefined }));
    expect(keys({ byWords, byMeaning: [], weight: 0.2 })[0]).toBe("b");
    expect(keys({ byWords: [...byWords, ...long], byMeaning: [], weight: 0.2 })[0]).toBe("a");
  });

  it("never let a shared word count against a record", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, share, (one, other, similarity, weight) => {
        const [more, less] = one > other ? [one, other] : [other, one];
        const byWords = [hit("more", more, { similarity }), hit("less", less, { similarity })];
        expect(keys({ byWords, byMeaning: [], weight })[0]).toBe("more");
      }),
    );
  });

  it("never cost an exact hit its place, and lose nothing", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const word = fc.record({ coverage: share, similarity: share, isExact: fc.boolean() });
    fc.assert(
      fc.property(fc.array(word), fc.array(share), share, (words, similarities, weight) => {
        const byWords = words.map((values, place) => hit(`w${place}`, values.coverage, values));
        const byMeaning = similarities.map((similarity, place) => ({ key: `m${place}`, similarity }));
        const order = keys({ byWords, byMeaning, weight });
        expect(new Set(order).size).toBe(words.length + similarities.length);
        for (const [place, { key, isExact }] of byWords.entries())
          if (isExact) expect(order.indexOf(key)).toBeLessThanOrEqual(place);
      }),
    );
  });
});

describe("what can only be meant literally", () => {
  it.each([
    ["why does parseConfig fail", ["parseconfig"]],
    ["what is TS2322", ["ts2322"]],
    ["ENOENT in src/store/open.ts", ["enoent", "srcstoreopents"]],
    ["max_tokens is ignored", ["maxtokens"]],
    ["how do we follow-up on a deployment?", []],
  ])("is found in %j", (text, words) => {
    expect(namesIn(text)).toEqual(words);
  });
});
