import { messageOf, RalphError } from "../../domain/ralph-error.js";

/** The result of one check. */
export interface Finding {
  status: "ok" | "repaired" | "warning" | "failed";
  detail: string;
}

export function ok(detail: string): Finding {
  return { status: "ok", detail };
}

/** An error and its hint, on one line. */
export function describeError(error: unknown): string {
  if (!(error instanceof RalphError)) return messageOf(error);
  return error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
}
