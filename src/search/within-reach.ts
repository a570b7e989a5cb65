import type { LexicalIndex, RequiredWords, SearchKind } from "../store/lexical-index.js";
import type { AskedWord } from "./asked-words.js";
import { isGenericWord } from "./generic-words.js";

export interface CountedWord extends AskedWord {
  /** How many records hold it, as far as they were counted. */
  count: number;
}

/** Where records are looked for: among those that have certain words, best first, or among the newest that have one of some. */
export type Reach = { required: RequiredWords } | { newestWith: readonly string[] };

/** Narrow first: where too few are found, the next is tried. */
export type Reaches = () => AsyncIterable<Reach>;

/** About so many records are ranked for one question in a large index: those that hold its rarest words. */
const affordable = 400;
/** A word in more than this many is a frequent one. */
export const rareAtMost = 800;
/** So far frequent words are counted, of the first ones that are said: as many as take no longer than the search itself. */
const countedAtMost = 4000;
const countedFrequent = 8;
const countedFrequentOfMany = 3;
const manyRecords = 20_000;
/** Where a word is in more, it is taken to be in this share of all. */
const frequentShare = 0.2;
/** The full-text index reads through all that hold a word to rank by it; for so many records in all, that is done. */
const readForRank = 10_000;
/** Of more words than this, none outweighs the others much. */
const mostAlike = 8;
/** A name that so few records hold is what the question is about. */
export const fewRecords = 10;

/** A large index, as far as it is asked for one question. */
interface LargeIndex {
  lexical: LexicalIndex;
  kind: SearchKind;
  total: number;
}

/** The words that count in a large index, and by which of them records are found: the rarest, as many as can be afforded. */
export async function withinReach(
  index: LargeIndex,
  words: readonly CountedWord[],
): Promise<{ kept: readonly CountedWord[]; reaches: Reaches }> {
  const telling = words.filter(({ weight, isName, count }) => weight > 0 || (isName && count <= fewRecords));
  const rare = rarestFirst(telling.filter(isRare));
  const specific = telling.filter((word) => isRare(word) || !isGenericWord(word.word));
  // "Fix the test" has nothing but what every task says.
  const counting = specific.length > 0 ? specific : telling;
  const frequent = await countFrequent(
    index,
    counting.filter((word) => !isRare(word)),
  );
  const ranking = withinRanking(frequent);
  return {
    kept: counting.filter((word) => isRare(word) || ranking.some((each) => each.word === word.word)),
    reaches: () => (rare.length > 0 ? rareReaches(rare, frequent) : frequentReaches(frequent, index.total)),
  };
}

function isRare({ count }: CountedWord): boolean {
  return count <= rareAtMost;
}

/** Frequent words, the rarest first; each is counted as far as it is affordable, and guessed beyond. */
async function countFrequent(
  { lexical, kind, total }: LargeIndex,
  words: readonly CountedWord[],
): Promise<CountedWord[]> {
  const named = [...words.filter(({ isName }) => isName), ...words.filter(({ isName }) => !isName)];
  const most = total < manyRecords ? countedFrequent : countedFrequentOfMany;
  const counted = await countWords(lexical, kind, named.slice(0, most), countedAtMost);
  const guessed = Math.max(countedAtMost, total * frequentShare);
  return rarestFirst(
    counted.map((word) => (word.count < countedAtMost ? word : { ...word, count: guessed })),
  );
}

/** Those frequent words by which it can be afforded to rank: names first, then the rarest, and one in any case. */
function withinRanking(frequent: readonly CountedWord[]): CountedWord[] {
  let read = 0;
  return [...frequent]
    .sort((one, other) => Number(other.isName) - Number(one.isName))
    .filter(({ count }, place) => {
      read += count;
      return place === 0 || read <= readForRank;
    });
}

/** By the rarest words, or the next two together; then by all rare ones; then by others, too, and at last by what is newest. */
async function* rareReaches(
  rare: readonly CountedWord[],
  frequent: readonly CountedWord[],
): AsyncGenerator<Reach> {
  const narrow = narrowest(rare);
  const others = [...rare, ...frequent].filter((word) => !narrow.includes(word));
  if (others.length > 0) yield narrowReach(rare, narrow, others);
  yield { required: { groups: [textsOf(rare)] } };
  const counted = frequent.filter(({ count }) => count < countedAtMost);
  if (counted.length > 0) yield { required: { groups: [textsOf([...rare, ...counted])] } };
  if (counted.length < frequent.length) yield { newestWith: textsOf(frequent) };
}

/** By the rarest words; one that is in many records needs another beside it. */
function narrowReach(
  rare: readonly CountedWord[],
  narrow: readonly CountedWord[],
  others: readonly CountedWord[],
): Reach {
  // A record may have all but the rarest word.
  const together = others.length < 2 ? [] : others.slice(0, 2);
  const isCrowded = (narrow[0]?.count ?? 0) > affordable;
  const groups = isCrowded ? [textsOf(narrow), textsOf(others)] : [textsOf(narrow)];
  const said = new Set([...groups.flat(), ...textsOf(together)]);
  const alike = rare.length > mostAlike ? [] : textsOf(rare).filter((word) => !said.has(word));
  return { required: { groups, orAll: textsOf(together), alike } };
}

/** As many of the rarest words as can be afforded, one at least, and all that are names. */
function narrowest(rare: readonly CountedWord[]): CountedWord[] {
  let spent = 0;
  return rare.filter(({ count, isName }, place) => {
    const isTaken = place === 0 || spent + count <= affordable || isName;
    if (isTaken) spent += count;
    return isTaken;
  });
}

/** By so many of the rarest words together that not too many records have them all, then by fewer, at last by what is newest. */
async function* frequentReaches(frequent: readonly CountedWord[], total: number): AsyncGenerator<Reach> {
  let together = 1;
  let expected = frequent[0]?.count ?? 0;
  while (together < frequent.length && (together < 2 || expected > affordable)) {
    expected *= (frequent[together]?.count ?? total) / total;
    together += 1;
  }
  for (; together >= 2; together -= 1)
    yield { required: { groups: frequent.slice(0, together).map(({ word }) => [word]) } };
  const [first] = frequent;
  if (first !== undefined && first.count < countedAtMost)
    yield { required: { groups: [[first.word]], alike: textsOf(frequent.slice(1)) } };
  yield { newestWith: textsOf(frequent) };
}

function textsOf(words: readonly CountedWord[]): string[] {
  return words.map(({ word }) => word);
}

export async function countWords<Word extends { word: string }>(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly Word[],
  limit: number,
): Promise<(Word & { count: number })[]> {
  const counts = await lexical.countHolding(
    kind,
    words.map(({ word }) => word),
    limit,
  );
  return words.map((word, place) => ({ ...word, count: counts[place] ?? 0 }));
}

function rarestFirst(words: readonly CountedWord[]): CountedWord[] {
  return words.toSorted((one, other) => one.count - other.count);
}
