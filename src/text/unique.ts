/** Removes duplicates, keeping the first of each. */
export function unique(items: readonly string[]): string[] {
  return [...new Set(items)];
}
