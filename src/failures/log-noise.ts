/** Lines that programs write while they work, whether they fail or not; other lines are often cut in two by them. */
const noise = [
  /^\(node:\d+\) .*Warning: /,
  /^\(Use `node --trace-/,
  /^npm (?:warn|WARN|notice|http|info|verb) /,
  /^(?:warning|WARN)\s+deprecated /i,
  /^(?:stderr|stdout) \| \S+/,
  /^\S+:\d+: (?:\w*Deprecation|Pending\w*|Future|User|Resource|Runtime|Syntax)Warning: /,
  /^DEPRECATION(?: WARNING)?\b/,
  /^DEPRECATED: /,
];

// The fields that loggers begin their lines with.
const jsonLog =
  /^\{ ?"(?:level|lvl|severity|time|timestamp|@timestamp|ts|t|msg|message|logger|event|pid|hostname|name)" ?: ?.*\}$/;

export function isLogRecord(line: string): boolean {
  return line.startsWith("{") && jsonLog.test(line);
}

export function withoutLogNoise(lines: readonly string[]): string[] {
  return lines.filter((line) => !isLogRecord(line) && !noise.some((pattern) => pattern.test(line)));
}
