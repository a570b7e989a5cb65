import type { SqlValue } from "../../sql.js";
import { textArray } from "./array-text.js";
import { type Expression, isEmpty, isPhrase, type Term } from "./expression.js";
import type { IndexPart } from "./index-part.js";

/** A part of a statement, with its values in order. */
export interface Fragment {
  text: string;
  values: SqlValue[];
}

/** The last letter there is, so that no word begins like a prefix and comes after it. */
const afterAll = "\u{10ffff}";

/** `asked(low, high)`: which words of the index single-word terms stand for. */
export function rangesOf(terms: readonly Term[]): Fragment {
  const lows = terms.map(({ words }) => words[0] ?? "");
  const highs = terms.map(({ words, isPrefix }) => `${words[0] ?? ""}${isPrefix ? afterAll : ""}`);
  return { text: "unnest(?::text[], ?::text[])", values: [textArray(lows), textArray(highs)] };
}

/** The numbers of the documents that hold any of some terms. A statement must not have it twice with different parts. */
export function holdersOfAny(part: IndexPart, terms: readonly Term[]): Fragment {
  const distinct = [...new Set(terms)].filter((term) => !isEmpty(term));
  const single = distinct.filter((term) => !isPhrase(term));
  const phrases = distinct.filter(isPhrase).map((phrase) => holdersOfPhrase(part, phrase));
  if (single.length === 0 && phrases.length > 0) return joined("UNION ALL", phrases);
  const ranges = rangesOf(single);
  const words: Fragment = {
    text: `SELECT unnest(held.numbers) AS number FROM ${ranges.text} AS asked(low, high) CROSS JOIN LATERAL (
      SELECT numbers FROM search_postings WHERE project = :project AND version = ? AND kind = ?
        AND word >= asked.low AND word <= asked.high OFFSET 0
    ) AS held`,
    values: [...ranges.values, part.version, part.kind],
  };
  return joined("UNION ALL", [words, ...phrases]);
}

function holdersOfPhrase(part: IndexPart, phrase: Term): Fragment {
  const found = textsWithPhrase(part, phrase);
  return { text: `SELECT number FROM ${found.text}`, values: found.values };
}

/** The rows of `search_words` with a phrase: found by the index, then by the order of the words. */
export function textsWithPhrase({ version, kind }: IndexPart, { words, isPrefix }: Term): Fragment {
  const each = words.map((word, place) => {
    const isLast = place === words.length - 1;
    return holdersOfAny({ version, kind }, [{ words: [word], isPrefix: isPrefix && isLast }]);
  });
  const together = joined("INTERSECT", each);
  return {
    text: `(SELECT text.number, text.words FROM (${together.text}) AS asked(number) CROSS JOIN LATERAL (
        SELECT number, words FROM search_words
        WHERE project = :project AND version = ? AND kind = ? AND number = asked.number OFFSET 0
      ) AS text WHERE text.words LIKE ?) AS said`,
    values: [...together.values, version, kind, `% ${words.join(" ")}${isPrefix ? "" : " "}%`],
  };
}

/** The numbers of the documents that an expression matches; undefined if it can match none. */
export function matchesOf(part: IndexPart, { groups, alternative, any }: Expression): Fragment | undefined {
  if (any.every(isEmpty)) return undefined;
  if (groups.length === 0) return holdersOfAny(part, any);
  const ways: Fragment[] = [];
  const addWay = (sets: readonly (readonly Term[])[]) => {
    if (sets.some((terms) => terms.every(isEmpty))) return;
    const isImplied = sets.some((terms) => terms.every((term) => any.includes(term) || isEmpty(term)));
    const all = isImplied ? sets : [...sets, any];
    ways.push(
      joined(
        "INTERSECT",
        all.map((terms) => holdersOfAny(part, terms)),
      ),
    );
  };
  addWay(groups);
  if (alternative.length > 0) addWay(alternative.map((term) => [term]));
  return ways.length === 0 ? undefined : joined("UNION", ways);
}

function joined(operator: string, fragments: readonly Fragment[]): Fragment {
  const [only] = fragments;
  if (fragments.length === 1 && only !== undefined) return only;
  return {
    text: fragments.map(({ text }) => `(${text})`).join(` ${operator} `),
    values: fragments.flatMap(({ values }) => values),
  };
}
