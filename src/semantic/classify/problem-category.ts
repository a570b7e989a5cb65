import { lazily } from "../../text/memoize.js";

/** The field that a failure belongs to; the first that fits. */
const categories = lazily((): readonly (readonly [name: string, pattern: RegExp])[] => [
  [
    "types",
    /\bTS\d{4}\b|not assignable|type (?:check|error)|mypy|pyright|incompatible type|\bCS\d{4}\b|E0\d{3}\b/i,
  ],
  ["lint", /lint|eslint|no-[a-z]+(?:-[a-z]+)+|ruff|rubocop|clippy|\bMD\d{3}\b|unknown word|style/i],
  [
    "dependencies",
    /ERESOLVE|EUSAGE|lock ?file|peer |dependency|No matching version|module not found|cannot find (?:module|package)|No module named|version conflict|requires .* version/i,
  ],
  [
    "database",
    /\b(?:relation|column|constraint|migration|database|deadlock|SQL\w*|table)\b|duplicate key|SQLITE/i,
  ],
  [
    "network",
    /ECONN|ENOTFOUND|ETIMEDOUT|EADDRINUSE|connection (?:refused|reset)|gateway|DNS|socket|certificate/i,
  ],
  [
    "environment",
    /environment|\benv\b|variable|not set|command not found|permission denied|EACCES|no such file|ENOENT|out of memory|heap|No space left/i,
  ],
  [
    "build",
    /docker|webpack|vite|rollup|esbuild|bundle|compil|link(?:er|ing)|failed to solve|terraform|Dockerfile/i,
  ],
  ["testing", /test|mock|fixture|assert|expect|timed out|strict mode|locator|snapshot/i],
  ["documentation", /dead link|markdown|docs?\b/i],
  ["performance", /budget|exceeded|slow|p9\d|size limit/i],
]);

export function problemCategory({
  code = "",
  message,
  checks,
}: {
  code?: string | undefined;
  message: string;
  checks: readonly string[];
}): string {
  const text = `${code} ${message}`;
  const find = (said: string) => categories().find(([, pattern]) => pattern.test(said))?.[0];
  return find(text) ?? find(checks.join(" ")) ?? "general";
}
