import type { LexicalIndex, RequiredWords, SearchKind } from "../store/lexical-index.js";
import { isGenericWord } from "../words/generic-words.js";
import { type CountedWord, countWords, fewRecords, rareAtMost } from "./count-words.js";

/** Where records are looked for: among those that have certain words, best first, or among the newest that have one of some. */
export type Reach = { required: RequiredWords } | { newestWith: readonly string[] };

/** Narrow first: where too few are found, the next is tried. */
export type Reaches = () => AsyncIterable<Reach>;

/** About so many records are ranked for one question in a large index: those that hold its rarest words. */
const affordable = 400;
/** So far frequent words are counted, of the first ones that are said: as many as take no longer than the search itself. */
const countedAtMost = 4000;
const countedFrequent = 8;
const countedFrequentOfMany = 3;
const manyRecords = 20_000;
/** Where a word is in more, it is taken to be in this share of all. */
const guessedShare = 0.2;
/** The full-text index reads through all that hold a word to rank by it; for so many records in all, that is done. */
const readForRank = 10_000;
/** Of more words than this, none outweighs the others much. */
const mostBoosted = 8;

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
  // "Fix the problem" has nothing but what every task says.
  const counting = specific.length > 0 ? specific : telling;
  const others = counting.filter((word) => !isRare(word));
  const frequent = await countFrequent(index, others);
  const ranking = withinRanking(frequent);
  const known = { rare, frequent, ranking, others, total: index.total };
  return {
    kept: counting.filter((word) => isRare(word) || ranking.some((each) => each.word === word.word)),
    reaches: () => (rare.length > 0 ? rareReaches(known) : frequentReaches(known)),
  };
}

/** The words of a question by how many records hold them; each list begins with the rarest, but for the last one. */
interface KnownWords {
  rare: readonly CountedWord[];
  /** Those frequent ones that were counted. */
  frequent: readonly CountedWord[];
  /** Those of them that it can be afforded to rank by. */
  ranking: readonly CountedWord[];
  /** All frequent ones. */
  others: readonly CountedWord[];
  total: number;
}

function isRare({ count }: CountedWord): boolean {
  return count <= rareAtMost;
}

/** Frequent words, the rarest first; each is counted as far as it is affordable, and guessed beyond. */
async function countFrequent(
  { lexical, kind, total }: LargeIndex,
  words: readonly CountedWord[],
): Promise<CountedWord[]> {
  const most = total < manyRecords ? countedFrequent : countedFrequentOfMany;
  const counted = await countWords(lexical, kind, namesFirst(words).slice(0, most), countedAtMost);
  const guessed = Math.max(countedAtMost, total * guessedShare);
  return rarestFirst(
    counted.map((word) => (word.count < countedAtMost ? word : { ...word, count: guessed })),
  );
}

/** Those frequent words by which it can be afforded to rank: names first, then the rarest, and one in any case. */
function withinRanking(frequent: readonly CountedWord[]): CountedWord[] {
  return takeWithin(namesFirst(frequent), readForRank);
}

/** As many words as records are affordable that hold them, one at least, and those that are taken in any case. */
function takeWithin(
  words: readonly CountedWord[],
  records: number,
  isAlwaysTaken: (word: CountedWord) => boolean = () => false,
): CountedWord[] {
  let spent = 0;
  return words.filter((word, place) => {
    const isTaken = place === 0 || spent + word.count <= records || isAlwaysTaken(word);
    if (isTaken) spent += word.count;
    return isTaken;
  });
}

/** By the rarest words, or the next two together; then by all rare ones; then by others, too, and at last by what is newest. */
async function* rareReaches({ rare, frequent, ranking, others, total }: KnownWords): AsyncGenerator<Reach> {
  const narrow = takeWithin(rare, affordable, ({ isName }) => isName);
  const next = [...rare, ...ranking].filter((word) => !narrow.includes(word));
  if (next.length > 0) yield narrowReach(rare, narrow, next, total);
  yield { required: { groups: [textsOf(rare)] } };
  const counted = frequent.filter(({ count }) => count < countedAtMost);
  if (counted.length > 0) yield { required: { groups: [textsOf([...rare, ...counted])] } };
  if (counted.length < others.length) yield { newestWith: textsOf(others) };
}

/** By the rarest words; one that is in many records needs another beside it. */
function narrowReach(
  rare: readonly CountedWord[],
  narrow: readonly CountedWord[],
  next: readonly CountedWord[],
  total: number,
): Reach {
  const isCrowded = (narrow[0]?.count ?? 0) > affordable;
  const groups = isCrowded ? [textsOf(narrow), textsOf(next)] : [textsOf(narrow)];
  // A record may have all but the rarest word.
  const [one, other] = next;
  const isTogetherSeldom =
    one !== undefined && other !== undefined && (one.count * other.count) / total <= affordable;
  const together = isTogetherSeldom ? textsOf([one, other]) : [];
  const said = new Set([...groups.flat(), ...together]);
  const boosted = rare.length > mostBoosted ? [] : textsOf(rare).filter((word) => !said.has(word));
  return { required: { groups, alternative: together, boosted } };
}

/** By so many of the rarest words together that not too many records have them all, then by fewer, at last by what is newest. */
async function* frequentReaches({ frequent, others, total }: KnownWords): AsyncGenerator<Reach> {
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
    yield { required: { groups: [[first.word]], boosted: textsOf(frequent.slice(1)) } };
  yield { newestWith: textsOf(others) };
}

function textsOf(words: readonly CountedWord[]): string[] {
  return words.map(({ word }) => word);
}

function namesFirst(words: readonly CountedWord[]): CountedWord[] {
  return words.toSorted((one, other) => Number(other.isName) - Number(one.isName));
}

function rarestFirst(words: readonly CountedWord[]): CountedWord[] {
  return words.toSorted((one, other) => one.count - other.count);
}
