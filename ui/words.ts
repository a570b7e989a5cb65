/** Numbers, times and lengths as people read them. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return ms > 0 && ms < 950 ? `${(ms / 1000).toFixed(1)} s` : `${seconds} s`;
  if (seconds < 3600) return joined(Math.floor(seconds / 60), "min", seconds % 60, "s");
  if (seconds < 86_400)
    return joined(Math.floor(seconds / 3600), "h", Math.floor((seconds % 3600) / 60), "min");
  return joined(Math.floor(seconds / 86_400), "d", Math.floor((seconds % 86_400) / 3600), "h");
}

function joined(large: number, unit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`;
}

export function between(from: string, to: string): number {
  return Math.max(0, Date.parse(to) - Date.parse(from));
}

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const steps: readonly [Intl.RelativeTimeFormatUnit, number, number][] = [
  ["second", 1000, 60_000],
  ["minute", 60_000, 3_600_000],
  ["hour", 3_600_000, 86_400_000],
  ["day", 86_400_000, 30 * 86_400_000],
];

/** How long ago; a date if that is more than a month. */
export function ago(time: string, now: number): string {
  const difference = Date.parse(time) - now;
  // The clocks of two machines differ.
  const elapsed = difference > 0 && difference < 60_000 ? 0 : difference;
  for (const [unit, size, until] of steps)
    if (Math.abs(elapsed) < until) return relative.format(Math.round(elapsed / size), unit);
  return day.format(Date.parse(time));
}

const day = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** In the reader's time zone. */
export function fullTime(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : full.format(at);
}

export function clockTime(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? time : clock.format(at);
}

export function dayOf(time: string | number): string {
  const at = typeof time === "number" ? time : Date.parse(time);
  return Number.isNaN(at) ? String(time) : day.format(at);
}

const date = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

/** A day that is the same in each zone, as notes have it. */
export function dateOf(written: string): string {
  const at = Date.parse(written);
  return Number.isNaN(at) ? written : date.format(at);
}

const counting = new Intl.NumberFormat("en");

export function count(value: number): string {
  return counting.format(value);
}

export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** A line does not break before the sign. */
export function percent(value: number): string {
  return `${Math.round(value * 100)}\u00a0%`;
}

export function figure(value: number): string {
  return String(Math.abs(value) < 100 ? Math.round(value * 100) / 100 : Math.round(value));
}

export function bytes(size: number | undefined): string {
  if (size === undefined) return "not there yet";
  if (size < 1024) return `${size} B`;
  const units = ["kB", "MB", "GB"];
  let value = size / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function cost(usd: number | undefined): string {
  return usd === undefined ? "not told" : `$${usd < 1 ? usd.toFixed(3) : usd.toFixed(2)}`;
}
