import { messageOf, RalphError } from "../domain/ralph-error.js";
import { redact } from "../text/secrets/redact.js";
import { line } from "./as-data.js";

export interface ToldError {
  code: string;
  message: string;
  hint?: string;
}

/**
 * What a model is told about an error: what happened and what to do, no stack trace and no secret. `whereIdsAre` takes the place
 * of a command that lists them.
 */
export function tellError(error: unknown, whereIdsAre?: string): ToldError {
  const safe = (text: string) => line(redact(text).text, 1000);
  if (!(error instanceof RalphError)) return { code: "internal", message: safe(messageOf(error)) };
  const namesCommand = error.code === "not-found" && error.hint?.includes('"ralph ');
  const hint = namesCommand ? (whereIdsAre ?? error.hint) : error.hint;
  return {
    code: error.code,
    message: safe(error.message),
    ...(hint !== undefined && { hint: safe(hint) }),
  };
}

export function asSentence({ message, hint }: ToldError): string {
  return hint === undefined ? message : `${message} (${hint})`;
}
