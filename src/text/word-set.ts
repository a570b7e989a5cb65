/** The words of a list, which are separated by spaces. */
export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" "));
}
