import type { Failure } from "../failure.js";

const described =
  /^(?:test "(?<test>.+?)"|(?<code>[\w@/.-]+))(?: at (?<file>[^\s:]+)(?::(?<line>\d+))?)?: (?<message>[\s\S]+)$/;
const inPlace = /^(?<file>[^\s:"]+\.\w+)(?::(?<line>\d+))?: (?<message>[\s\S]+)$/;

/** The failure that a line by `describeFailure` is about; any other text is the message of one. */
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
