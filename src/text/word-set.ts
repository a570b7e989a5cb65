import { lazily } from "./memoize.js";

/** Words that can be looked up. */
export interface WordSet extends Iterable<string> {
  has(word: string): boolean;
}

/** The words in a line. The set is made when it is first asked: most commands load more of them than they look into. */
export function wordSet(words: string): WordSet {
  const made = lazily(() => new Set(words.split(" ")));
  return { has: (word) => made().has(word), [Symbol.iterator]: () => made().values() };
}
