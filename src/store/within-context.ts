import type { MatchContext } from "./lexical-index.js";

/** Of matches, the best first, those that a context asks for. */
export function withinContext<Match extends { documentNumber: number }>(
  best: readonly Match[],
  { first, distance }: MatchContext,
): Match[] {
  if (first === -1 || best.length <= first) return [...best];
  const numbers = Float64Array.from(best, ({ documentNumber }) => documentNumber).sort();
  const near = new Set<number>();
  for (let at = 1; at < numbers.length; at += 1) {
    const [one, other] = [numbers[at - 1] as number, numbers[at] as number];
    if (other - one <= distance) near.add(one).add(other);
  }
  return best.filter(({ documentNumber }, place) => place < first || near.has(documentNumber));
}
