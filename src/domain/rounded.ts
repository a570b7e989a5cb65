/** Rounds to three decimals; more digits would be false precision. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
