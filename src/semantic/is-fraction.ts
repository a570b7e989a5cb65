/** A number from 0 to 1; not undefined or NaN, which every comparison would let through. */
export function isFraction(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}
