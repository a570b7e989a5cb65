/** Longer texts make more than one statement, and are not compared. */
export const longestStatement = 600;

/** Whether two texts share at least this fraction of the shorter one's words: a cheap check before a full comparison. */
export function shareWords(one: ReadonlySet<string>, other: ReadonlySet<string>, share: number): boolean {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  let spare = smaller.size - smaller.size * share;
  for (const word of smaller) {
    if (larger.has(word)) continue;
    spare -= 1;
    if (spare < 0) return false;
  }
  return smaller.size > 0;
}
