import type { ExtractedLearning, SourceFigures } from "../../domain/knowledge/learning.js";
import { withoutFenced } from "../../text/fence/fence.js";
import { unique } from "../../text/unique.js";
import { clipStatement } from "./statements.js";
import type { Problem, TaskRecord } from "./task-record.js";

const maxFiles = 20;
const baseConfidence = { solved: 0.6, unsolved: 0.4 } as const;

/** A failure of a task as an antipattern: the problem, and what made it go away. Undefined if it says nothing about other tasks, or went away by itself. */
export function problemLesson(
  task: TaskRecord,
  taskType: string,
  problem: Problem,
  said: readonly string[],
): ExtractedLearning | undefined {
  if (problem.isParticular || problem.state === "flaky") return undefined;
  const description = problemStatement(problem);
  if (description === undefined) return undefined;
  const remedy = remedyOf(problem, said);
  const isSolved = remedy !== undefined;
  const confidence = isSolved ? baseConfidence.solved : baseConfidence.unsolved;
  const inVain = problem.inVain.at(-1)?.text;
  const figures: SourceFigures = {
    confidence,
    successRate: 0,
    count: 1,
    at: task.ended,
    ...(isSolved && { remedy }),
    ...(problem.inVain.length > 0 && { inVain: unique(problem.inVain.map(({ gist }) => gist)) }),
  };
  return {
    type: "antipattern",
    taskType,
    category: problemCategory(problem),
    content: {
      description,
      what_fails: problem.code ?? "error",
      why: problem.message,
      ...(isSolved && { prevention: remedy.text }),
      occurrences: 1,
      impact: "high",
    },
    ...(isSolved && { correct_approach: remedy.text }),
    ...(inVain !== undefined && { incorrect_approach: inVain }),
    ...(problem.checks.length > 0 && {
      conditions: problem.checks.slice(0, 2).map((check) => `\`${check}\``),
    }),
    confidence,
    successRate: 0,
    sourceLoops: [task.task_id],
    source_episodes: [...problem.episodes],
    files: unique(problem.files).slice(0, maxFiles),
    ...(task.git_commit !== undefined && { git_commit: task.git_commit }),
    failure_key: problem.key,
    ...(problem.aliases.length > 0 && { failure_aliases: [...problem.aliases] }),
    merged: { wordingConfidence: confidence, sources: { [task.task_id]: figures }, uses: {} },
  };
}

/** What a person or agent said about it is better than what its actions show. */
function remedyOf({ state, remedy }: Problem, said: readonly string[]): SourceFigures["remedy"] {
  if (state !== "solved") return undefined;
  const [spoken] = said.length > 0 ? [said.join("; ")] : [];
  if (spoken !== undefined) return { text: spoken, gist: remedy?.gist || spoken.toLowerCase(), isSaid: true };
  return remedy;
}

/** The code and message; undefined if it quotes what Ralph put into a prompt, so that it is not learned again. */
function problemStatement({ code, message }: Problem): string | undefined {
  const text = withoutFenced(message).trim();
  if (text !== message.trim()) return undefined;
  const isNamed = code === undefined || message.includes(code) || /^(?:error|\d+)$/i.test(code);
  return clipStatement(isNamed ? text : `${code}: ${text}`);
}

/** The field that a failure belongs to; the first that fits. */
const categories: readonly (readonly [name: string, pattern: RegExp])[] = [
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
];

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
  const find = (said: string) => categories.find(([, pattern]) => pattern.test(said))?.[0];
  return find(text) ?? find(checks.join(" ")) ?? "general";
}
