/** From one index up to, but excluding, another. */
export type Span = readonly [start: number, end: number];

/** A merged piece of both versions: lines both have, lines of one, or a conflict. */
export interface Segment {
  take: "both" | "ours" | "theirs" | "conflict";
  base: Span;
  ours: Span;
  theirs: Span;
}

/** Merges two versions of lines as Git does: where both changed the same place differently, there is a conflict. */
export function mergeLines(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
): Segment[] {
  const [toOurs, toTheirs] = [matchLines(base, ours), matchLines(base, theirs)];
  const segments: Segment[] = [];
  let [from, fromOurs, fromTheirs] = [0, 0, 0];
  const mergeUpTo = (to: number, toOur: number, toTheir: number) => {
    const [b, o, t]: Span[] = [
      [from, to],
      [fromOurs, toOur],
      [fromTheirs, toTheir],
    ];
    for (const segment of mergeBetween({ base, ours, theirs }, b as Span, o as Span, t as Span))
      segments.push(segment);
    [from, fromOurs, fromTheirs] = [to + 1, toOur + 1, toTheir + 1];
  };
  for (const index of base.keys()) {
    const [our, their] = [toOurs[index] ?? -1, toTheirs[index] ?? -1];
    if (our === -1 || their === -1) continue;
    mergeUpTo(index, our, their);
    segments.push({
      take: "both",
      base: [index, index + 1],
      ours: [our, our + 1],
      theirs: [their, their + 1],
    });
  }
  mergeUpTo(base.length, ours.length, theirs.length);
  return segments;
}

interface Versions {
  base: readonly string[];
  ours: readonly string[];
  theirs: readonly string[];
}

/** Merges the lines between two that all versions have. */
function mergeBetween({ base, ours, theirs }: Versions, b: Span, o: Span, t: Span): Segment[] {
  const [inBase, inOurs, inTheirs] = [base.slice(...b), ours.slice(...o), theirs.slice(...t)];
  const whole = (take: Segment["take"]): Segment[] => [{ take, base: b, ours: o, theirs: t }];
  if (isSame(inOurs, inTheirs)) return inOurs.length === 0 ? [] : whole("both");
  if (isSame(inBase, inOurs)) return whole("theirs");
  if (isSame(inBase, inTheirs)) return whole("ours");
  // Common first and last lines are not in conflict.
  const before = commonLength(inOurs, inTheirs);
  const after = commonLength(inOurs.slice(before).reverse(), inTheirs.slice(before).reverse());
  const [oEnd, tEnd] = [o[1] - after, t[1] - after];
  const both = (ourStart: number, theirStart: number, length: number): Segment[] =>
    length === 0
      ? []
      : [
          {
            take: "both",
            base: [b[1], b[1]],
            ours: [ourStart, ourStart + length],
            theirs: [theirStart, theirStart + length],
          },
        ];
  return [
    ...both(o[0], t[0], before),
    { take: "conflict", base: b, ours: [o[0] + before, oEnd], theirs: [t[0] + before, tEnd] },
    ...both(oEnd, tEnd, after),
  ];
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((line, index) => line === others[index]);
}

function commonLength(some: readonly string[], others: readonly string[]): number {
  const shorter = Math.min(some.length, others.length);
  const first = some.findIndex((line, index) => index === shorter || line !== others[index]);
  return first === -1 ? shorter : first;
}

type Window = [start: number, end: number, otherStart: number, otherEnd: number];

/**
 * For each line, the index of its match in `others`, or -1: matches common beginnings and ends first, then lines that occur once in both,
 * and repeats between those. Linear in the rest; matched pairs never cross.
 */
export function matchLines(lines: readonly string[], others: readonly string[]): Int32Array {
  const matches = new Int32Array(lines.length).fill(-1);
  const pending: Window[] = [[0, lines.length, 0, others.length]];
  for (let span = pending.pop(); span !== undefined; span = pending.pop()) {
    let [start, end, otherStart, otherEnd] = span;
    while (start < end && otherStart < otherEnd && lines[start] === others[otherStart]) {
      matches[start] = otherStart;
      start += 1;
      otherStart += 1;
    }
    while (start < end && otherStart < otherEnd && lines[end - 1] === others[otherEnd - 1]) {
      end -= 1;
      otherEnd -= 1;
      matches[end] = otherEnd;
    }
    if (start === end || otherStart === otherEnd) continue;
    const anchors = inOrder(findUnique(lines, others, [start, end, otherStart, otherEnd]));
    for (const [index, other] of anchors) {
      matches[index] = other;
      pending.push([start, index, otherStart, other]);
      [start, otherStart] = [index + 1, other + 1];
    }
    if (anchors.length > 0) pending.push([start, end, otherStart, otherEnd]);
  }
  return matches;
}

/** Lines that occur exactly once on both sides, in the order of the first. */
function findUnique(
  lines: readonly string[],
  others: readonly string[],
  [start, end, otherStart, otherEnd]: Window,
): [number, number][] {
  const places = new Map<string, number>();
  for (let index = otherStart; index < otherEnd; index += 1) {
    const line = others[index] ?? "";
    places.set(line, places.has(line) ? -1 : index);
  }
  const own = new Map<string, number>();
  for (let index = start; index < end; index += 1) {
    const line = lines[index] ?? "";
    own.set(line, own.has(line) ? -1 : index);
  }
  return [...own].flatMap(([line, index]): [number, number][] => {
    const other = places.get(line) ?? -1;
    return index === -1 || other === -1 ? [] : [[index, other]];
  });
}

/** The longest subsequence of pairs that rises on both sides. */
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
