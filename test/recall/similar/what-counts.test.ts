import { describe, expect, it } from "vitest";
import { compareWithTask, whatCounts } from "../../../src/recall/similar/task-similarity.js";

const leastAsked = 0.4;

/** As similar as a task can be by all but its text, files and errors. */
function mostSimilar(records: number, parts: { isFamily: boolean; isSentence: boolean }): number {
  const frame = parts.isSentence ? ["rotate", "webhook", "signature", "certificates", "quarterly"] : [];
  const kinds = new Map(parts.isFamily ? [["flaky", 1]] : []);
  const common = { positions: new Map(), files: [], errors: [], frame, kinds };
  const nothing = () => 0;
  return compareWithTask(
    { ...common, named: new Map(), terms: new Map(), length: 40, vectorWeight: 0 },
    { ...common, record: { counts: new Map(), length: 0 } },
    parts.isFamily ? { record: 2.2, support: 22 } : { record: 0, support: 0 },
    { weightOf: nothing, partWeightOf: nothing, kinds: { holding: new Map(), records } },
  ).similarity;
}

describe("what counts in a store", () => {
  const sizes = [1, 100, 2_000, 7_000, 9_000, 15_000, 50_000, 1_000_000];

  it.each(sizes)("of %d tasks leaves out no evidence that could make a task similar", (records) => {
    const { family, sentence } = whatCounts(records, 0.7, false);
    const reached = {
      family: mostSimilar(records, { isFamily: true, isSentence: false }) >= leastAsked,
      sentence: mostSimilar(records, { isFamily: false, isSentence: true }) >= leastAsked,
    };
    expect([family, sentence]).toEqual([family || reached.family, sentence || reached.sentence]);
  });

  it("is everything in a small one, and texts, files and errors in a large one", () => {
    expect(whatCounts(1_000, 0.7, false)).toEqual({ family: true, sentence: true });
    expect(whatCounts(50_000, 0.7, false)).toEqual({ family: false, sentence: false });
  });

  it("is everything where little similarity is asked for, or vectors speak too", () => {
    expect(whatCounts(50_000, 0.01, false)).toEqual({ family: true, sentence: true });
    expect(whatCounts(50_000, 0, false)).toEqual({ family: true, sentence: true });
    expect(whatCounts(50_000, 0.7, true)).toEqual({ family: true, sentence: true });
  });
});
