import type { LexicalIndex, SearchKind } from "../store/lexical-index.js";
import type { AskedWord } from "./asked-words.js";
import { isGenericWord } from "./generic-words.js";

/** Groups of words; a record must have one of each. */
export type RequiredGroups = readonly (readonly string[])[];

/** What records must have at least, narrow first: where too few have it, the next is tried. */
export type Reaches = () => AsyncIterable<RequiredGroups>;

export interface CountedWord extends AskedWord {
  /** How many records hold it, as far as they were counted. */
  count: number;
}

/** About so many records are looked at for one question in a large index: those that hold its rarest words. */
const affordable = 150;
/** Fewer than this are hardly an answer: the next rarest word is added, in however many records it is. */
const enough = 50;
/** A word in more than this many is a frequent one. */
export const rareAtMost = 800;
/** Where each word is in more, the two rarest of the first ones are looked for together; so far they are counted. */
const countedAtMost = 4000;
/** Of so many of the next rarest words one has to stand beside a rarest one that many records hold. */
const nextRarest = 2;
/** More frequent words than this cost more than they tell, beside rare ones and without. */
const frequentBesideRare = 1;
const frequentAlone = 3;
/** A name that so few records hold is what the question is about. */
export const fewRecords = 10;

/** The words that count in a large index, and by which of them records are found: by the rarest first, as many as can be afforded. */
export function withinReach(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly CountedWord[],
): { kept: readonly CountedWord[]; reaches: Reaches } {
  const telling = words.filter(({ weight, isName, count }) => weight > 0 || (isName && count <= fewRecords));
  const isRare = ({ count }: CountedWord) => count <= rareAtMost;
  const rare = rarestFirst(telling.filter(isRare));
  const specific = telling.filter((word) => isRare(word) || !isGenericWord(word.word));
  // "Fix the test" has nothing but what every task says.
  const counting = specific.length > 0 ? specific : telling;
  const mostFrequent = rare.length > 0 ? frequentBesideRare : frequentAlone;
  const frequent = counting.filter((word) => !isRare(word)).slice(0, mostFrequent);
  const countFrequent = () => countWords(lexical, kind, frequent, countedAtMost);
  return {
    kept: counting.filter((word) => isRare(word) || frequent.includes(word)),
    reaches: () =>
      rare.length > 0 ? rareReaches(rare, frequent, countFrequent) : frequentReaches(countFrequent),
  };
}

/** By the two rarest words together, then by the rarest alone. */
async function* frequentReaches(countFrequent: () => Promise<CountedWord[]>): AsyncGenerator<RequiredGroups> {
  const [first, second] = rarestFirst(await countFrequent()).map(({ word }) => word);
  if (first !== undefined && second !== undefined) yield [[first], [second]];
  yield first === undefined ? [] : [[first]];
}

/** By the rarest words, of which one in many records needs another beside it; then by all rare ones; then by others, too. */
async function* rareReaches(
  rare: readonly CountedWord[],
  frequent: readonly CountedWord[],
  countFrequent: () => Promise<CountedWord[]>,
): AsyncGenerator<RequiredGroups> {
  const [first, ...others] = [...rare, ...frequent];
  const textsOf = (words: readonly CountedWord[]) => words.map(({ word }) => word);
  const narrow = narrowest(rare);
  const isCrowded = first !== undefined && first.count > affordable;
  if (isCrowded && others.length > 0) yield [[first.word], textsOf(others.slice(0, nextRarest))];
  if (!isCrowded && narrow.length < rare.length) yield [textsOf(narrow)];
  yield [textsOf(rare)];
  const countable = (await countFrequent()).filter(({ count }) => count < countedAtMost);
  if (countable.length > 0) yield [textsOf([...rare, ...countable])];
}

/** As many of the rarest words as can be afforded, but enough to find something, and all that are names. */
function narrowest(rare: readonly CountedWord[]): CountedWord[] {
  let spent = 0;
  return rare.filter(({ count, isName }) => {
    const isTaken = spent < enough || spent + count <= affordable || isName;
    if (isTaken) spent += count;
    return isTaken;
  });
}

export async function countWords(
  lexical: LexicalIndex,
  kind: SearchKind,
  words: readonly AskedWord[],
  limit: number,
): Promise<CountedWord[]> {
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
