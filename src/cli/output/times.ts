import type { Terminal } from "./terminal/terminal.js";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * A time for people: on a screen how long ago it was, and after a week the local date; elsewhere as it is recorded, in UTC
 * and to the minute.
 */
export function shownTime(iso: string, { isScreen }: Pick<Terminal, "isScreen">, now = new Date()): string {
  if (!isScreen) return iso.slice(0, 16);
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const seconds = (now.getTime() - time.getTime()) / 1000;
  if (seconds < -minute || seconds >= 7 * day) return localTime(time);
  if (seconds < minute) return "just now";
  if (seconds < hour) return ago(seconds / minute, "minute");
  if (seconds < day) return ago(seconds / hour, "hour");
  return ago(seconds / day, "day");
}

/** The same for a day without a time, such as a note's. */
export function shownDay(date: string, { isScreen }: Pick<Terminal, "isScreen">, now = new Date()): string {
  const days = isScreen ? Math.floor((now.getTime() - Date.parse(`${date}T00:00:00Z`)) / (day * 1000)) : -1;
  if (!(days >= 0 && days < 7)) return date;
  return ["today", "yesterday"][days] ?? ago(days, "day");
}

/** `2026-01-31 14:05`, in the zone of this computer. */
export function localTime(time: Date): string {
  const date = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join("-");
  return `${date} ${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

/** The moment itself, for a record that is shown in full: local on a screen, elsewhere as it is recorded. */
export function shownMoment(iso: string, { isScreen }: Pick<Terminal, "isScreen">): string {
  const time = new Date(iso);
  return isScreen && !Number.isNaN(time.getTime()) ? localTime(time) : iso;
}

function ago(amount: number, unit: string): string {
  const whole = Math.floor(amount);
  return `${whole} ${unit}${whole === 1 ? "" : "s"} ago`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
