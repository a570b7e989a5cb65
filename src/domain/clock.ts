/** Source of the current time; tests pass their own. */
export type Clock = () => Date;

/** As `toISOString` says it, which looks up the local time zone for no reason: a fifth of a millisecond, once per process. */
export function isoTime(time: Date): string {
  const year = time.getUTCFullYear();
  if (!(year >= 1000 && year <= 9999)) return time.toISOString();
  const date = `${year}-${twoDigits(time.getUTCMonth() + 1)}-${twoDigits(time.getUTCDate())}`;
  const clock = `${twoDigits(time.getUTCHours())}:${twoDigits(time.getUTCMinutes())}:${twoDigits(time.getUTCSeconds())}`;
  return `${date}T${clock}.${String(time.getUTCMilliseconds()).padStart(3, "0")}Z`;
}

/** Of a month, a day, an hour or a minute. */
export function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}

/** `YYYY-MM-DD` in UTC. */
export function isoDate(time: Date): string {
  return isoTime(time).slice(0, 10);
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
