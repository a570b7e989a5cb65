import type { OptionSpec } from "../framework/command.js";
import { readSince } from "../input/read-since.js";

/** How many to show; 0 means all. Earlier versions called it --last here and there. */
export const limitOption = {
  kind: "number",
  short: "n",
  placeholder: "N",
  summary: "show at most N; 0 means all",
  aliases: ["last"],
} as const satisfies OptionSpec;

export function limitOptionOf(fallback: number) {
  return { ...limitOption, summary: `${limitOption.summary} [default: ${fallback}]` } as const;
}

export const allOption = { kind: "flag", summary: "show all, like -n 0" } as const satisfies OptionSpec;

export const sinceOption = {
  kind: "text",
  placeholder: "TIME",
  summary: "only since then: 24h, 30d or 2026-01-31",
} as const satisfies OptionSpec;

export const untilOption = {
  kind: "text",
  placeholder: "TIME",
  summary: "only until then: 24h, 30d or 2026-01-31, that day included",
} as const satisfies OptionSpec;

/** The number to ask for; undefined for all. */
export function limitOf(
  { limit, all = false }: { limit: number | undefined; all?: boolean },
  fallback?: number,
): number | undefined {
  const asked = all ? 0 : (limit ?? fallback);
  return asked === 0 ? undefined : asked;
}

export function sinceOf({ since }: { since: string | undefined }): string | undefined {
  return since === undefined ? undefined : readSince("since", since, new Date());
}

/** A day ends at its last moment. */
export function untilOf({ until }: { until: string | undefined }): string | undefined {
  if (until === undefined) return undefined;
  const time = readSince("until", until, new Date());
  return /^\d{4}-/.test(until) ? `${until}T23:59:59.999Z` : time;
}
