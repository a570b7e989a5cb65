import { isCalendarDate } from "../../domain/clock.js";
import { RalphError } from "../../domain/ralph-error.js";

const unitMs: Record<string, number> = {
  m: 60 * 1000,
  h: 60 * 60 * 1000,
  d: 24 * 60 * 60 * 1000,
  w: 7 * 24 * 60 * 60 * 1000,
};

/** Converts `24h`, `7d` or a date such as `2026-01-31` to an ISO timestamp. */
export function readSince(option: string, text: string, now: Date): string {
  const [, amount = "", unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const time = new Date(now.getTime() - Number(amount) * (unitMs[unit] ?? 0));
  if (unit !== "" && !Number.isNaN(time.getTime())) return time.toISOString();
  if (isCalendarDate(text)) return `${text}T00:00:00.000Z`;
  throw new RalphError("wrong-use", `--${option} takes a duration or a date, not ${JSON.stringify(text)}`, {
    hint: "such as 24h, 7d or 2026-01-31",
  });
}
