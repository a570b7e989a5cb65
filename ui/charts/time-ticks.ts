const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const steps = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * second),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * hour),
  ...[1, 2, 7, 14, 30].map((days) => days * day),
];
const mostTicks = 6;

/** Round times from 0 on that a span holds. */
export function timeTicks(spanMs: number): number[] {
  const step = steps.find((each) => spanMs / each < mostTicks) ?? spanMs;
  return Array.from({ length: Math.floor(spanMs / step) + 1 }, (_, index) => index * step);
}
