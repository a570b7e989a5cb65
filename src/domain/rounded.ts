/** To three decimals: more of them would claim to know what nobody knows. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
