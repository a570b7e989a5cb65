import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { messageOf, RalphError } from "../domain/ralph-error.js";
import { isObject } from "../domain/shape.js";
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

type WrapHandler = Server["_wrapHandler"];

/** Says in a sentence what is wrong with the parameters of a request, where the SDK shows what its schema found, as JSON. */
export class PlainServer extends Server {
  protected override _wrapHandler(...[method, handler]: Parameters<WrapHandler>): ReturnType<WrapHandler> {
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        throw complaintAbout(method, error) ?? error;
      }
    };
  }
}

function complaintAbout(method: string, error: unknown): ProtocolError | undefined {
  const issues = error instanceof Error ? issuesIn(error.message) : [];
  if (issues.length === 0) return undefined;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Wrong ${method}: ${issues.join("; ")}`);
}

/** What a schema found, if that is what a message ends with. */
function issuesIn(message: string): string[] {
  const start = message.indexOf("[\n");
  if (start === -1) return [];
  try {
    const issues: unknown = JSON.parse(message.slice(start));
    if (!Array.isArray(issues)) return [];
    return issues.flatMap((issue: unknown) =>
      isObject(issue) && Array.isArray(issue.path) ? [`${issue.path.join(".")}: ${issue.message}`] : [],
    );
  } catch {
    return [];
  }
}
