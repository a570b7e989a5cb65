/** z of the normal distribution for a one-sided 90 % bound. */
const oneSided90 = 1.2816;

/** The Wilson bounds of a success rate; the number of trials may be fractional. */
export function successBounds(
  successes: number,
  trials: number,
  z: number = oneSided90,
): { lower: number; upper: number } {
  if (trials <= 0) return { lower: 0, upper: 1 };
  const rate = Math.min(1, successes / trials);
  const spread = z * Math.sqrt((rate * (1 - rate)) / trials + z ** 2 / (4 * trials ** 2));
  const middle = rate + z ** 2 / (2 * trials);
  const scale = 1 + z ** 2 / trials;
  // Exact at 0 and 1, where rounding could leave the bounds slightly inside.
  return {
    lower: rate === 0 ? 0 : Math.max(0, (middle - spread) / scale),
    upper: rate === 1 ? 1 : Math.min(1, (middle + spread) / scale),
  };
}
