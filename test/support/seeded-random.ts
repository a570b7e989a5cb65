/** RALPH_SEED=… repeats a run; each test that uses it prints it. */
export const seed = Number(process.env.RALPH_SEED) || (Date.now() % 2 ** 31) + 1;

export type Random = ReturnType<typeof seededRandom>;

/** Random numbers that come again with the same seed. */
export function seededRandom(from: number = seed) {
  let state = from >>> 0;
  /** From 0 to 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item };
}
