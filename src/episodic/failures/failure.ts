/** One thing that a tool reported as wrong. */
export interface Failure {
  /** A failing test, by its full name. */
  test?: string;
  /** Such as TS2345. */
  code?: string;
  file?: string;
  line?: number;
  message: string;
}

/** One failure in a few words: which test or code, where, and what. */
export function describeFailure(failure: Failure): string {
  const { test, code, message } = failure;
  const place = failure.file === undefined ? "" : ` at ${placeOf(failure)}`;
  const name = test === undefined ? (code ?? "") : `test "${test}"`;
  return `${name}${place}${name || place ? ": " : ""}${message}`.trim();
}

/** `file:line`, or as much of it as is known. */
export function placeOf({ file = "", line }: Failure): string {
  return line === undefined ? file : `${file}:${line}`;
}
