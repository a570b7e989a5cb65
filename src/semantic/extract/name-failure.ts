import { clipStatement } from "./clip-statement.js";

/** What error messages come down to; the most specific wording is looked for first. */
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

/** The failure that an error message shows; its own short statement when it is none of the known ones. */
export function nameFailure(message: string): string | undefined {
  const start = message.slice(0, 2000);
  return failures.find(([pattern]) => pattern.test(start))?.[1] ?? clipStatement(start);
}
