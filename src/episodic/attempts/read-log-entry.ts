import { RalphError } from "../../domain/ralph-error.js";
import {
  type Action,
  type ActionType,
  actionTypes,
  isActionType,
  type Milestone,
} from "../../domain/tasks/action.js";
import { type IterationResult, outcomes } from "../../domain/tasks/attempt.js";
import { clipDeep, clipOutput } from "../../text/secrets/clip-output.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { isIteration } from "./check-result.js";
import { storableAction } from "./storable-action.js";

/** One line of a log: an action, a milestone (`event`), or how an iteration ended (`outcome`, `quality`). */
export type LogEntry =
  | { kind: "action"; action: Action; idempotencyKey: string | undefined }
  | { kind: "milestone"; milestone: Milestone }
  | { kind: "iteration"; result: IterationResult };

/** Parses an entry written by another program; missing fields get defaults. */
export function readLogEntry(raw: unknown, now: string): LogEntry {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw malformed("is not an object");
  const { output, error, params, ...short } = raw as Record<string, unknown>;
  const entry: Record<string, unknown> = redactDeep(clipDeep(short));
  const timestamp = readTime(entry.timestamp, now);
  if (typeof entry.event === "string") {
    if (entry.tool !== undefined) throw malformed('has both "event" and "tool"; log them one by one');
    const details = entry.details === undefined ? {} : { details: asText(entry.details) };
    return { kind: "milestone", milestone: { timestamp, event: entry.event, ...details } };
  }
  const iteration = readIteration(entry.iteration);
  const tool = entry.tool ?? entry.type;
  if (tool === undefined && (entry.quality !== undefined || entry.outcome !== undefined)) {
    return { kind: "iteration", result: { iteration, timestamp, ...readResult({ ...entry, output }) } };
  }
  if (typeof tool !== "string" || tool === "")
    throw malformed('has neither "tool", "event", "outcome" nor "quality"');
  return {
    kind: "action",
    idempotencyKey: readKey(entry.idempotency_key),
    action: storableAction({
      timestamp,
      iteration,
      ...readType(entry),
      tool,
      params: readParams(params),
      success: readSuccess(entry.success) ?? isMissing(error),
      ...textField("output", output),
      ...textField("error", error),
      ...textField("reasoning", entry.reasoning),
      ...textField("expected_outcome", entry.expected_outcome),
    }),
  };
}

/** A type without a tool names the tool. */
function readType({ type, tool }: Record<string, unknown>): { type?: ActionType } {
  if (isMissing(type)) return {};
  if (typeof type === "string" && isActionType(type)) return { type };
  if (isMissing(tool)) return {};
  throw malformed(
    `has an unknown type: ${asText(type)} (known are ${actionTypes.join(", ")}; other tools need none)`,
  );
}

function readSuccess(value: unknown): boolean | undefined {
  if (isMissing(value)) return undefined;
  if (typeof value === "boolean") return value;
  throw malformed(`has a success that is neither true nor false: ${JSON.stringify(value)}`);
}

function isMissing(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

const maxYear = 9999;

function readResult(entry: Record<string, unknown>): Omit<IterationResult, "iteration" | "timestamp"> {
  const { quality, outcome, output } = entry;
  if (quality !== undefined && !(typeof quality === "number" && quality >= 0 && quality <= 1))
    throw malformed("has a quality outside 0 to 1");
  if (outcome !== undefined && !outcomes.some((known) => known === outcome))
    throw malformed(`has an unknown outcome: ${String(outcome)}`);
  return {
    ...(quality !== undefined && { quality }),
    ...(outcome !== undefined && { success: outcome === "success" }),
    ...(!isMissing(output) && { output: clipOutput(asText(output)) }),
  };
}

function malformed(what: string): RalphError {
  return new RalphError("wrong-use", `A log entry ${what}`, {
    hint: 'for example {"tool":"Bash","params":{"command":"npm test"},"success":false}',
  });
}

function textField<Name extends string>(name: Name, value: unknown): Partial<Record<Name, string>> {
  if (isMissing(value)) return {};
  return { [name]: asText(value) } as Partial<Record<Name, string>>;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readKey(value: unknown): string | undefined {
  return isMissing(value) || value === "" ? undefined : asText(value);
}

function readTime(value: unknown, now: string): string {
  if (isMissing(value)) return now;
  const time = new Date(typeof value === "number" ? value : String(value));
  if (Number.isNaN(time.getTime())) throw malformed(`has an invalid timestamp: ${String(value)}`);
  if (time.getUTCFullYear() > maxYear)
    throw malformed(`has a timestamp in the year ${time.getUTCFullYear()}`);
  return time.toISOString();
}

function readIteration(value: unknown): number {
  if (isMissing(value)) return 1;
  if (!isIteration(value)) throw malformed("has an iteration that is not a whole number");
  return value;
}

function readParams(value: unknown): Record<string, unknown> {
  if (isMissing(value)) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw malformed("has params that are not an object");
  return value as Record<string, unknown>;
}
