/** The words of a line, for asking whether one of them is there. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
