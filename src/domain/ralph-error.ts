/** Every kind of failure; front ends map each code to an exit code. */
export type ErrorCode =
  | "wrong-use"
  | "invalid-settings"
  | "not-trusted"
  | "not-found"
  | "ambiguous"
  | "already-exists"
  | "merge-conflict"
  | "file-unusable"
  | "disk-full"
  | "store-busy"
  | "store-damaged"
  | "index-damaged"
  | "store-too-new"
  | "store-too-old"
  | "store-away"
  | "store-refused"
  | "embedder-failed"
  | "missing-package"
  | "program-unusable"
  | "taken-over"
  | "interrupted";

interface RalphErrorDetails {
  /** What to do about it: one clause, without a final full stop. */
  hint?: string;
  cause?: unknown;
}

/** The only error class: what happened, to what, and what to do next. */
export class RalphError extends Error {
  override readonly name = "RalphError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, details: RalphErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.hint = details.hint;
  }
}

/** True for an operating-system error with one of the given codes, such as ENOENT. */
export function isSystemError(error: unknown, ...codes: string[]): error is Error & { code: string } {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** Whether something failed because the team's server cannot be reached. */
export function isStoreAway(error: unknown): error is RalphError {
  return error instanceof RalphError && error.code === "store-away";
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
