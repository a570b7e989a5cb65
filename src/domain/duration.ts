const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** What timers of the system can wait for at most, a little below 25 days. */
const maxDurationMs = 2 ** 31 - 1;

/** Milliseconds of `90s`, `30m`, `2h`, `1d`, several of them together (`1h30m`), or a number of seconds. */
export function parseDuration(text: string | number): number {
  const written = String(text).trim().toLowerCase();
  const ms = /^\d+(?:\.\d+)?$/.test(written) ? Number(written) * unitMs.s : sumOfParts(written);
  if (ms === undefined || ms <= 0) throw new TypeError('must be a time such as "90s", "30m", "2h" or "1d"');
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

/** Such as `45s`, `12m 5s` or `1h 30m`: the two largest units. */
export function renderDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const [large, small, size] =
    seconds < 3600 ? ["m", "s", 60] : seconds < 86_400 ? ["h", "m", 3600] : ["d", "h", 86_400];
  const rest = Math.floor((seconds % size) / (size === 86_400 ? 3600 : size / 60));
  return `${Math.floor(seconds / size)}${large}${rest === 0 ? "" : ` ${rest}${small}`}`;
}
