import { AsyncLocalStorage } from "node:async_hooks";
import { type Mark, markPattern } from "./mark.js";

/** What a user adds to the known formats, and what is no secret. */
export interface OwnRules {
  patterns: readonly RegExp[];
  /** They match a secret as a whole. */
  exceptions: readonly RegExp[];
}

export const maxOwnPatterns = 100;
const maxPatternLength = 300;
/** A pattern that backtracks takes long only on long lines. */
const maxLineLength = 2000;
const partOfLine = new RegExp(`[\\s\\S]{1,${maxLineLength}}`, "g");

// Rules belong to the work that a memory does, not to the process: two memories in one process may have different ones.
const scope = new AsyncLocalStorage<OwnRules>();

/** Redacts with these rules, too, in everything that `work` does. */
export function withOwnRules<Result>(rules: OwnRules, work: () => Result): Result {
  return scope.run(rules, work);
}

export function ownRules(): OwnRules | undefined {
  return scope.getStore();
}

export function compileOwnRules(patterns: readonly string[], exceptions: readonly string[]): OwnRules {
  return {
    patterns: patterns.map((pattern) => new RegExp(pattern, "g")),
    exceptions: exceptions.map((pattern) => new RegExp(`^(?:${pattern})$`)),
  };
}

/** Why a pattern cannot be used; undefined if it can. */
export function problemOfPattern(pattern: string): string | undefined {
  if (pattern.length > maxPatternLength) return `is longer than ${maxPatternLength} characters`;
  try {
    if (new RegExp(pattern).test("")) return "matches an empty text";
  } catch (error) {
    return error instanceof SyntaxError
      ? error.message.replace(/^Invalid regular expression: /, "")
      : String(error);
  }
  if (repeatsRepetition.test(pattern)) return "repeats a repetition, such as (a+)+, which can take forever";
  return undefined;
}

const repeatsRepetition =
  /\((?:[^()\\]|\\.)*(?:[+*]|\{\d+,\d*\})(?:[^()\\]|\\.)*\)(?:[+*]|\{\d+,\d*\})|\([^()]*\|[^()]*\)[+*](?:.*[+*]){2}/;

/** The user's own patterns. */
export function redactOwn(text: string, mark: Mark): string {
  const rules = ownRules();
  if (rules === undefined || rules.patterns.length === 0) return text;
  return text
    .split("\n")
    .map((line) => (line.match(partOfLine) ?? [line]).map((part) => redactPart(part, rules, mark)).join(""))
    .join("\n");
}

function redactPart(part: string, { patterns }: OwnRules, mark: Mark): string {
  return patterns.reduce((safe, pattern) => redactOutsideMarks(safe, pattern, mark), part);
}

const marks = new RegExp(`(${markPattern.source})`);

/** A pattern such as `[a-z]+` matches in marks, too: they would grow each time that a text is looked at. */
function redactOutsideMarks(text: string, pattern: RegExp, mark: Mark): string {
  return text
    .split(marks)
    .map((piece, index) =>
      index % 2 === 1
        ? piece
        : piece.replace(pattern, (secret) => (secret === "" ? secret : mark("own-pattern", secret))),
    )
    .join("");
}
