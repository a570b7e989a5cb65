/** How long a run holds its task without a sign of life. */
export const leaseMs = 60_000;

/** How often a run gives one. */
export const heartbeatMs = 10_000;

/** How long an attempt without a run may record nothing before it counts as abandoned; agents may think for long. */
export const attemptSilenceMs = 30 * 60_000;

/** The clocks of two machines differ by less. */
const maxSkewMs = 5 * 60_000;

export function leaseUntil(now: Date): string {
  return new Date(now.getTime() + leaseMs).toISOString();
}

/** One that ends later than any run may ask for was made by a clock that is wrong, and holds nothing. */
export function hasLapsed(until: string, now: Date): boolean {
  const leftMs = Date.parse(until) - now.getTime();
  return !(leftMs > 0 && leftMs <= leaseMs + maxSkewMs);
}
