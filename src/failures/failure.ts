import { unique } from "../text/unique.js";

/** One failure that a tool reported. */
export interface Failure {
  /** The full name of the failing test. */
  test?: string;
  /** Such as TS2345. */
  code?: string;
  file?: string;
  line?: number;
  message: string;
  /** The tool that reported it, such as playwright, if its reader knows. */
  tool?: string;
  /** No reader recognised the tool: the message is the most likely cause. */
  isGuess?: true;
}

/** One line: test or code, place, message. */
export function describeFailure(failure: Failure): string {
  const { test, code, message } = failure;
  const name = test === undefined ? (code ?? "") : `test "${test}"`;
  const subject = [name, placeOf(failure)].filter((part) => part !== "").join(" at ");
  return `${subject === "" ? "" : `${subject}: `}${message}`.trim();
}

/** `file:line`, as far as they are known. */
export function placeOf({ file = "", line }: Failure): string {
  return line === undefined ? file : `${file}:${line}`;
}

const comparedLength = 2000;

/** Identifies an output by its failures or, without any, by its last lines; numbers are ignored. */
export function failureSignature(output: string, failures: readonly Failure[]): string {
  return failures.length > 0
    ? failureGists(failures).sort().join("\n")
    : withoutNumbers(output.trim().slice(-comparedLength));
}

/** The failures without their numbers, each once. */
export function failureGists(failures: readonly Failure[]): string[] {
  return unique(failureNames(failures).map(withoutNumbers));
}

/** One line per failure. */
export function failureNames(failures: readonly Failure[]): string[] {
  return unique(failures.map(describeFailure));
}

/** Lines, columns, durations, counts and addresses change between two runs of the same command. */
function withoutNumbers(text: string): string {
  return text.replace(/\b0x[\da-f]+\b|\d+(?:[.,:]\d+)*/gi, "#");
}

const described =
  /^(?:test "(?<test>.+?)"|(?<code>[\w@/.-]+))(?: at (?<file>[^\s:]+)(?::(?<line>\d+))?)?: (?<message>[\s\S]+)$/;
const inPlace = /^(?<file>[^\s:"]+\.\w+)(?::(?<line>\d+))?: (?<message>[\s\S]+)$/;

/** Parses a line written by `describeFailure`; any other text is taken as the message. */
export function failureOf(text: string): Failure {
  const {
    test,
    code,
    file,
    line,
    message = text,
  } = inPlace.exec(text)?.groups ?? described.exec(text)?.groups ?? {};
  // "Error: x" is a message; a code has digits, a dash, or is in capitals.
  if (test === undefined && file === undefined && !/\d|-|^[A-Z_]+$/.test(code ?? ""))
    return { message: text };
  return {
    ...(test !== undefined && { test }),
    ...(code !== undefined && { code }),
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line: Number(line) }),
    message,
  };
}
