import fc from "fast-check";
import { expect, it } from "vitest";
import { pairsSharing, shareWords } from "../../src/words/share-words.js";

const texts = fc.array(fc.uniqueArray(fc.constantFrom(..."abcdefgh"), { maxLength: 6 }), { maxLength: 8 });

it("finds the pairs that share enough of the shorter one's words", () => {
  fc.assert(
    fc.property(texts, fc.constantFrom(0.3, 0.5, 0.6, 0.7, 1), (lists, share) => {
      const sets = lists.map((words) => new Set(words));
      const expected = sets.flatMap((one, second) =>
        [...sets.slice(0, second).keys()]
          .filter((first) => shareWords(sets[first] as Set<string>, one, share))
          .map((first) => [first, second]),
      );
      expect(pairsSharing(sets, share)).toEqual(expected);
    }),
  );
});
