import type { RequiredWords } from "../store/lexical-index.js";
import { isGenericWord } from "../words/word-lists.js";
import { type CountedWord, fewRecords, rareAtMost } from "./count-words.js";

/** One try at retrieval: the best records with certain words, or the newest with any of some. */
export type RetrievalStep = { required: RequiredWords } | { newestWith: readonly string[] };

/** Narrow first; the next step is tried when too few are found. */
export type RetrievalSteps = () => AsyncIterable<RetrievalStep>;

/** Large index: about this many records are ranked, those that hold the rarest words. */
const affordable = 400;
/** A word in more records is not searched for alone. */
const mostFrequent = 4000;
/** Of the frequent words the first few are used. */
const usedFrequent = 8;
const usedFrequentOfMany = 3;
const manyRecords = 20_000;
/** Ranking by a word reads every record that holds it; the budget for all words together. */
const readForRank = 10_000;
/** With more rare words than this, boosting changes little. */
const mostBoosted = 8;

/** Large index: the words that count, and the steps that retrieve records by the rarest of them within a budget. */
export function planRetrieval(
  words: readonly CountedWord[],
  total: number,
): { kept: readonly CountedWord[]; steps: RetrievalSteps } {
  const telling = words.filter(({ weight, isName, count }) => weight > 0 || (isName && count <= fewRecords));
  const rare = rarestFirst(telling.filter(isRare));
  const specific = telling.filter((word) => isRare(word) || !isGenericWord(word.word));
  // "Fix the problem" has nothing but what every task says.
  const counting = specific.length > 0 ? specific : telling;
  const others = counting.filter((word) => !isRare(word));
  const most = total < manyRecords ? usedFrequent : usedFrequentOfMany;
  const frequent = rarestFirst(namesFirst(others).slice(0, most));
  const ranking = withinRanking(frequent);
  const known = { rare, frequent, ranking, others, total };
  return {
    kept: counting.filter((word) => isRare(word) || ranking.some((each) => each.word === word.word)),
    steps: () => (rare.length > 0 ? rareSteps(known) : frequentSteps(known)),
  };
}

/** The words of a question by frequency, rarest first in each list but the last. */
interface KnownWords {
  rare: readonly CountedWord[];
  /** The frequent words that are used. */
  frequent: readonly CountedWord[];
  /** Of these, the ones within the budget for ranking. */
  ranking: readonly CountedWord[];
  /** All frequent words, in the order of the question. */
  others: readonly CountedWord[];
  total: number;
}

function isRare({ count }: CountedWord): boolean {
  return count <= rareAtMost;
}

/** Frequent words within the budget for ranking: names first, then the rarest, at least one. */
function withinRanking(frequent: readonly CountedWord[]): CountedWord[] {
  return takeWithin(namesFirst(frequent), readForRank);
}

/** Words whose records together stay within a budget; at least one, and those that are always taken. */
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

/** The rarest words, or the next two together; then all rare ones; then frequent ones too; then the newest. */
async function* rareSteps({
  rare,
  frequent,
  ranking,
  others,
  total,
}: KnownWords): AsyncGenerator<RetrievalStep> {
  const narrow = takeWithin(rare, affordable, ({ isName }) => isName);
  const next = [...rare, ...ranking].filter((word) => !narrow.includes(word));
  const first = next.length > 0 ? narrowStep(rare, narrow, next, total) : undefined;
  if (first !== undefined) yield first;
  if (first === undefined || narrow.length < rare.length || !isAnyOfOneGroup(first))
    yield { required: { groups: [textsOf(rare)] } };
  const counted = frequent.filter(({ count }) => count < mostFrequent);
  if (counted.length > 0) yield { required: { groups: [textsOf([...rare, ...counted])] } };
  if (counted.length < others.length) yield { newestWith: textsOf(others) };
}

/** Nothing but any of some words is asked for: asking for all of those again would find the same. */
function isAnyOfOneGroup({ required: { groups, alternative = [] } }: { required: RequiredWords }): boolean {
  return groups.length === 1 && alternative.length === 0;
}

/** The rarest words; one that many records hold needs another beside it. */
function narrowStep(
  rare: readonly CountedWord[],
  narrow: readonly CountedWord[],
  next: readonly CountedWord[],
  total: number,
): { required: RequiredWords } {
  const isCrowded = (narrow[0]?.count ?? 0) > affordable;
  const groups = isCrowded ? [textsOf(narrow), textsOf(next)] : [textsOf(narrow)];
  // A record may have all but the rarest word.
  const [one, other] = next;
  const isTogetherSeldom =
    one !== undefined && other !== undefined && (one.count * other.count) / total <= affordable;
  const together = isTogetherSeldom ? textsOf([one, other]) : [];
  const said = new Set([...groups.flat(), ...together]);
  const boosted = rare.length > mostBoosted ? [] : textsOf(rare).filter((word) => !said.has(word));
  const scoredOnce = isCrowded
    ? textsOf(next.filter((word) => !isRare(word) && !together.includes(word.word)))
    : [];
  return { required: { groups, alternative: together, boosted, scoredOnce } };
}

/** Enough of the rarest words together that few records hold them all, then fewer words, then the newest. */
async function* frequentSteps({ frequent, others, total }: KnownWords): AsyncGenerator<RetrievalStep> {
  let together = 1;
  let expected = frequent[0]?.count ?? 0;
  while (together < frequent.length && (together < 2 || expected > affordable)) {
    expected *= (frequent[together]?.count ?? total) / total;
    together += 1;
  }
  for (; together >= 2; together -= 1)
    yield { required: { groups: frequent.slice(0, together).map(({ word }) => [word]) } };
  const [first] = frequent;
  if (first !== undefined && first.count < mostFrequent) yield { required: { groups: [[first.word]] } };
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
