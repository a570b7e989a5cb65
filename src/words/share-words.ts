/** Statements are compared up to this length; a longer text says more than one thing. */
export const longestStatement = 600;

/** Whether two texts share at least this share of the words of the shorter one: a cheap check before comparing them. */
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
