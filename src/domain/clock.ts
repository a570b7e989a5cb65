/** Source of the current time; tests pass their own. */
export type Clock = () => Date;

/** `YYYY-MM-DD` in UTC. */
export function isoDate(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** True for a valid `YYYY-MM-DD` date. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && isoDate(time) === text;
}

/** The time, but no earlier than `earliest`: clocks may be set back. */
export function notBefore(earliest: string, time: string): string {
  return time < earliest ? earliest : time;
}

export const dayMs = 24 * 60 * 60 * 1000;

/** Never negative: clocks may be set back. */
export function secondsBetween(from: string, to: string): number {
  return Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
}
