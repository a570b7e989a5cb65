import type { LexicalIndex, SearchKind } from "../../store/lexical-index.js";
import { isCommonWord } from "../../text/tokens/common-words.js";
import { contentStems } from "../../words/content-stems.js";
import { backgroundShare } from "../../words/frequencies/word-frequencies.js";
import { isGenericWord } from "../../words/generic-words.js";
import { looseStem } from "../../words/loose-stem.js";
import { questionWords } from "../../words/words.js";
import { learningEvidence as weights } from "../weights.js";

export interface WordWeight {
  (stem: string): number;
  /** What shared words must weigh together to count. */
  least: number;
}

/** What is asked: its words, the most specific first, and what all of them weigh. */
export interface WeighedWords {
  words: readonly { word: string; weight: number }[];
  all: number;
}

export function weighWords(asked: ReadonlySet<string>, weightOf: WordWeight): WeighedWords {
  const words = [...asked].map((word) => ({ word, weight: weightOf(word) }));
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  return { words: words.sort((one, other) => other.weight - one.weight), all };
}

/** How much of what is asked a text has: the weight of the shared words, and their share of all. */
export function sharedWords(
  { words, all }: WeighedWords,
  text: ReadonlySet<string>,
): { strength: number; coverage: number; shared: string[] } {
  const shared = words.filter(({ word }) => text.has(word));
  const strength = shared.reduce(
    (sum, { weight }) => sum + (weight >= weights.leastWordWeight ? weight : 0),
    0,
  );
  return { strength, coverage: all === 0 ? 0 : strength / all, shared: shared.map(({ word }) => word) };
}

/** How specific a stem is: rare in the store's records of a kind and in texts about software. */
export async function makeWordWeight(
  lexical: LexicalIndex,
  kind: SearchKind,
  text: string,
): Promise<WordWeight> {
  const records = await lexical.estimateDocuments(kind);
  const words = questionWords(text).slice(0, weights.countedWords);
  const limit = Math.max(weights.leastCounted, Math.ceil(records * weights.countedShare));
  const counts = words.length === 0 ? [] : await lexical.countHolding(kind, words, limit);
  const holding = new Map(words.map((word, place) => [looseStem(word), counts[place] ?? 0]));
  // A small store says little about which words are rare.
  const trust = weights.backgroundTexts / (weights.backgroundTexts + records);
  const weightOf = (stem: string) => {
    if (isGenericWord(stem)) return 0;
    const weight =
      trust * -Math.log(backgroundShare(stem)) +
      (1 - trust) * -Math.log(Math.max(1, holding.get(stem) ?? 1) / Math.max(1, records));
    const most = isCommonWord(stem)
      ? weights.mostCommonWeight + weights.mostCommonInSmall * trust
      : weights.mostWordWeight;
    return Math.min(most, Math.max(0, weight));
  };
  return Object.assign(weightOf, { least: weights.leastWords + weights.leastWordsInLarge * (1 - trust) });
}

export function stemsOf(text: string): Set<string> {
  return new Set(contentStems(text, { shortest: 2, longest: 40 }));
}
