type Span = [start: number, end: number, otherStart: number, otherEnd: number];

/**
 * For each key, the index of the same one in `others`, or -1: equal beginnings and ends first, then what occurs once in
 * both, and again between those. Linear in what is left; a matched pair never crosses another.
 */
export function matchUnits(keys: readonly string[], others: readonly string[]): Int32Array {
  const matches = new Int32Array(keys.length).fill(-1);
  const pending: Span[] = [[0, keys.length, 0, others.length]];
  for (let span = pending.pop(); span !== undefined; span = pending.pop()) {
    let [start, end, otherStart, otherEnd] = span;
    while (start < end && otherStart < otherEnd && keys[start] === others[otherStart]) {
      matches[start] = otherStart;
      start += 1;
      otherStart += 1;
    }
    while (start < end && otherStart < otherEnd && keys[end - 1] === others[otherEnd - 1]) {
      end -= 1;
      otherEnd -= 1;
      matches[end] = otherEnd;
    }
    if (start === end || otherStart === otherEnd) continue;
    const anchors = inOrder(findUnique(keys, others, [start, end, otherStart, otherEnd]));
    for (const [index, other] of anchors) {
      matches[index] = other;
      pending.push([start, index, otherStart, other]);
      [start, otherStart] = [index + 1, other + 1];
    }
    if (anchors.length > 0) pending.push([start, end, otherStart, otherEnd]);
  }
  return matches;
}

/** What occurs exactly once on both sides, in the order of the first. */
function findUnique(
  keys: readonly string[],
  others: readonly string[],
  [start, end, otherStart, otherEnd]: Span,
): [number, number][] {
  const places = new Map<string, number>();
  for (let index = otherStart; index < otherEnd; index += 1) {
    const key = others[index] ?? "";
    places.set(key, places.has(key) ? -1 : index);
  }
  const own = new Map<string, number>();
  for (let index = start; index < end; index += 1) {
    const key = keys[index] ?? "";
    own.set(key, own.has(key) ? -1 : index);
  }
  return [...own].flatMap(([key, index]): [number, number][] => {
    const other = places.get(key) ?? -1;
    return index === -1 || other === -1 ? [] : [[index, other]];
  });
}

/** The longest run of pairs that rises on both sides. */
function inOrder(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = [];
  const previous = pairs.map(() => -1);
  for (const [at, [, other]] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < other) low = middle + 1;
      else high = middle;
    }
    previous[at] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = at;
  }
  const run: [number, number][] = [];
  for (let at = tails.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) run.push(pair);
  }
  return run.reverse();
}
