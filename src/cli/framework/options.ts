import { isCalendarDate } from "../../domain/clock.js";
import { type OptionSpec, wrongUse } from "./command.js";

type More = Omit<OptionSpec, "kind" | "placeholder" | "summary">;

export function flag(summary: string, short?: string) {
  return { kind: "flag", summary, ...(short !== undefined && { short }) } as const;
}

export function text(placeholder: string, summary: string, more: More = {}) {
  return { kind: "text", placeholder, summary, ...more } as const;
}

/** An option that can be given several times. */
export function texts(placeholder: string, summary: string, more: More = {}) {
  return { kind: "texts", placeholder, summary, ...more } as const;
}

/** An option that takes comma-separated words. */
export function list(placeholder: string, summary: string, more: More = {}) {
  return { kind: "list", placeholder, summary, ...more } as const;
}

export function number(placeholder: string, summary: string, more: More = {}) {
  return { kind: "number", placeholder, summary, ...more } as const;
}

export const yesOption = flag("do not ask for confirmation");
export const dryRunOption = flag("show what would change, without changing it");
export const allOption = flag("show all, like -n 0");
export const globalOption = flag("use your global memory instead of the project's");

export function ownerOf({ global }: { global: boolean }): "project" | "user" {
  return global ? "user" : "project";
}

/** How many to show; 0 means all. Earlier versions called it --last here and there. */
export function limitOption(fallback?: number, summary = "show at most N; 0 means all") {
  const shown = fallback === undefined ? summary : `${summary} [default: ${fallback}]`;
  return number("N", shown, { short: "n", aliases: ["last"] });
}

export function sinceOption(what = "only since then") {
  return text("TIME", `${what}: 24h, 30d or 2026-01-31`);
}

export const untilOption = text("TIME", "only until then: 24h, 30d or 2026-01-31, that day included");

/** The number to ask for; undefined for all. */
export function limitOf(
  { limit, all = false }: { limit?: number | undefined; all?: boolean },
  fallback?: number,
): number | undefined {
  const asked = all ? 0 : (limit ?? fallback);
  return asked === 0 ? undefined : asked;
}

export function sinceOf({ since }: { since?: string | undefined }): string | undefined {
  return since === undefined ? undefined : readSince("since", since, new Date());
}

/** A day ends at its last moment. */
export function untilOf({ until }: { until?: string | undefined }): string | undefined {
  if (until === undefined) return undefined;
  const time = readSince("until", until, new Date());
  return /^\d{4}-/.test(until) ? `${until}T23:59:59.999Z` : time;
}

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
  throw wrongUse(
    `--${option} takes a duration or a date, not ${JSON.stringify(text)}`,
    "such as 24h, 7d or 2026-01-31",
  );
}

/** Parses an option that takes a number from 0 to 1. */
export function readShare(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const share = Number(text);
  if (text.trim() !== "" && share >= 0 && share <= 1) return share;
  throw wrongUse(`--${option} takes a number from 0 to 1, not ${JSON.stringify(text)}`);
}
