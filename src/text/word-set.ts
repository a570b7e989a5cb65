/** A set of the words in a line. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
