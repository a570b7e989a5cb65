/** Each item once, in the order in which it first comes. */
export function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
