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
export function describeFailure({ test, code, file, line, message }: Failure): string {
  const place = file === undefined ? "" : ` at ${file}${line === undefined ? "" : `:${line}`}`;
  const name = test === undefined ? (code ?? "") : `test "${test}"`;
  return `${name}${place}${name || place ? ": " : ""}${message}`.trim();
}
