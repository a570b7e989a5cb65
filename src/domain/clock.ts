/** Where the current time comes from; tests hand in their own. */
export type Clock = () => Date;

/** `YYYY-MM-DD` in UTC. */
export function isoDate(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** True for a `YYYY-MM-DD` that exists in the calendar. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && isoDate(time) === text;
}

/** Clocks are set back at times; what follows something does not come before it. */
export function notBefore(earliest: string, time: string): string {
  return time < earliest ? earliest : time;
}

export const dayMs = 24 * 60 * 60 * 1000;

/** Never less than 0: clocks are set back at times. */
export function secondsBetween(from: string, to: string): number {
  return Math.max(0, (Date.parse(to) - Date.parse(from)) / 1000);
}
