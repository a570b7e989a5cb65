import { matchUnits } from "./match-units.js";

/** From one index to before another. */
export type Span = readonly [start: number, end: number];

/** What stands in the place of lines of both versions: the same lines of both, those of one, or a conflict. */
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
  const [toOurs, toTheirs] = [matchUnits(base, ours), matchUnits(base, theirs)];
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

/** Merges what stands between two lines that all versions have. */
function mergeBetween({ base, ours, theirs }: Versions, b: Span, o: Span, t: Span): Segment[] {
  const [inBase, inOurs, inTheirs] = [base.slice(...b), ours.slice(...o), theirs.slice(...t)];
  const whole = (take: Segment["take"]): Segment[] => [{ take, base: b, ours: o, theirs: t }];
  if (isSame(inOurs, inTheirs)) return inOurs.length === 0 ? [] : whole("both");
  if (isSame(inBase, inOurs)) return whole("theirs");
  if (isSame(inBase, inTheirs)) return whole("ours");
  // Lines that both begin or end with are in no conflict.
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
