/** One failure that a tool reported. */
export interface Failure {
  /** The full name of the failing test. */
  test?: string;
  /** Such as TS2345. */
  code?: string;
  file?: string;
  line?: number;
  message: string;
  /** What reported it, such as playwright, as far as its reader knows. */
  tool?: string;
  /** No reader knows the tool: the message is the line that most likely says what went wrong. */
  isGuess?: true;
}

/** One line: test or code, place, message. */
export function describeFailure(failure: Failure): string {
  const { test, code, message } = failure;
  const name = test === undefined ? (code ?? "") : `test "${test}"`;
  const subject = [name, placeOf(failure)].filter((part) => part !== "").join(" at ");
  return `${subject === "" ? "" : `${subject}: `}${message}`.trim();
}

/** `file:line`, as far as known. */
export function placeOf({ file = "", line }: Failure): string {
  return line === undefined ? file : `${file}:${line}`;
}
