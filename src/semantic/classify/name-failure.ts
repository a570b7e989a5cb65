import { clipStatement } from "./clip-statement.js";

/** Common failures, by their published names; the most specific pattern comes first. */
const failures: readonly (readonly [pattern: RegExp, name: string])[] = [
  [
    /cannot find (?:module|package)|\bmodule\b.*\bnot found\b|modulenotfound|no module named/i,
    "Module not found - verify dependencies installed",
  ],
  [
    /\bpermission|access denied|\bEACCES\b|\bEPERM\b/i,
    "Permission errors - check file/directory permissions",
  ],
  [/time-?out|timed[ -]?out/i, "Timeout errors - break into smaller steps"],
  [/\bsyntax|\bpars(?:e|er|ing)\b/i, "Syntax errors - check code carefully before execution"],
  [/undefined|\bnull/i, "Null/undefined errors - add validation checks"],
];

/**
 * The published name of the common failure that an error message matches, else a short version of the message. It is for
 * loops that other programs describe: where a tool's own message is known, that says more, and its advice is not a guess.
 */
export function nameFailure(message: string): string | undefined {
  const start = message.slice(0, 2000);
  return failures.find(([pattern]) => pattern.test(start))?.[1] ?? clipStatement(start);
}
