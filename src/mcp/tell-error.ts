import { messageOf } from "../domain/message-of.js";
import { RalphError } from "../domain/ralph-error.js";
import { redact } from "../text/secrets/redact.js";
import { line } from "./as-data.js";

export interface ToldError {
  code: string;
  message: string;
  hint?: string;
}

/** What a model is told about an error: what happened and what to do, no stack trace and no secret. */
export function tellError(error: unknown): ToldError {
  const safe = (text: string) => line(redact(text).text, 1000);
  if (!(error instanceof RalphError)) return { code: "internal", message: safe(messageOf(error)) };
  return {
    code: error.code,
    message: safe(error.message),
    ...(error.hint !== undefined && { hint: safe(error.hint) }),
  };
}

export function asSentence({ message, hint }: ToldError): string {
  return hint === undefined ? message : `${message} (${hint})`;
}
