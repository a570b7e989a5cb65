/** Numbers from 0 to 1 that come again with the same seed: RALPH_SEED=…, printed by each test that uses them. */
export function seededRandom(seed = Number(process.env.RALPH_SEED) || (Date.now() % 2 ** 31) + 1): {
  random: () => number;
  seed: number;
} {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { random, seed };
}
