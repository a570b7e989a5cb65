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

/** The pairs of texts that share at least this fraction of the shorter one's words, as two places, the earlier one first. */
export function pairsSharing(texts: readonly ReadonlySet<string>[], share: number): [number, number][] {
  const holding = new Map<string, number[]>();
  const pairs: [number, number][] = [];
  // For every word of every text: without iterators, each step of which makes an object.
  for (let place = 0; place < texts.length; place += 1) {
    const words = texts[place] as ReadonlySet<string>;
    const shared = new Array<number>(place).fill(0);
    words.forEach((word) => {
      const earlier = holding.get(word);
      if (earlier === undefined) holding.set(word, [place]);
      else {
        for (let at = 0; at < earlier.length; at += 1) (shared[earlier[at] as number] as number) += 1;
        earlier.push(place);
      }
    });
    for (let other = 0; other < place; other += 1) {
      const size = Math.min(words.size, texts[other]?.size ?? 0);
      if (size > 0 && size - (shared[other] as number) <= size - size * share) pairs.push([other, place]);
    }
  }
  return pairs;
}
