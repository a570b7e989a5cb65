const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** The longest delay a Node timer supports: just under 25 days. */
const maxDurationMs = 2 ** 31 - 1;

/** Completes an error message that begins with the name of a setting or option. */
export const durationRule = 'must be a duration such as "90s", "30m", "2h" or "1d"';

/** Parses `90s`, `30m`, `2h`, `1d`, combinations such as `1h30m`, or plain seconds into milliseconds. */
export function parseDuration(text: string | number): number {
  const written = String(text).trim().toLowerCase();
  const ms = /^\d+(?:\.\d+)?$/.test(written) ? Number(written) * unitMs.s : sumOfParts(written);
  if (ms === undefined || ms <= 0) throw new TypeError(durationRule);
  if (ms > maxDurationMs) throw new TypeError('must be at most "24d"');
  return ms;
}

function sumOfParts(written: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?[smhd]\s*)+$/.test(written)) return undefined;
  return [...written.matchAll(/([\d.]+)([smhd])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * unitMs[unit as keyof typeof unitMs],
    0,
  );
}

/** `45s`, `12m 5s`, `1h 30m`: the two largest units. */
export function renderDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const [large, small, size] =
    seconds < 3600 ? ["m", "s", 60] : seconds < 86_400 ? ["h", "m", 3600] : ["d", "h", 86_400];
  const rest = Math.floor((seconds % size) / (size === 86_400 ? 3600 : size / 60));
  return `${Math.floor(seconds / size)}${large}${rest === 0 ? "" : ` ${rest}${small}`}`;
}
