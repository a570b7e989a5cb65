import { RalphError } from "../../domain/ralph-error.js";
import {
  type Action,
  type ActionType,
  actionTypes,
  isActionType,
  isByRalph,
  type Milestone,
} from "../../domain/tasks/action.js";
import { type IterationResult, outcomes } from "../../domain/tasks/attempt.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import type { KeyedAction } from "../../store/repositories/tasks/actions.js";
import type { StoredAttempt } from "../../store/repositories/tasks/attempts.js";
import type { Repositories } from "../../store/store.js";
import { clipDeep, clipOutput } from "../../text/secrets/clip-output.js";
import { redact, redactDeep } from "../../text/secrets/redact.js";
import type { EpisodicContext } from "../episodic-context.js";
import { improveReflections } from "../reflections/improve-reflection.js";
import type { WorkReport } from "../reflections/work-report.js";
import { getHeldAttempt } from "./attempt-lease.js";
import { recordIterationEnd } from "./end-iteration.js";

export interface Logged {
  logged: number;
  /** Entries skipped because they were logged before. */
  duplicates: number;
  /** Entries that wait on this machine until a team's server can be reached. */
  waiting?: number;
  /** Why the rules' reflection was kept although a model should have written one. */
  degraded?: string[];
}

/** Adds entries to the running attempt; a failed iteration is reflected on. */
export async function logEntries(
  context: EpisodicContext,
  taskId: string,
  entries: readonly LogEntry[],
  runId?: number,
): Promise<Logged> {
  const { store, clock, window } = context;
  // The end of an iteration affects the whole task.
  const holds = entries.some(({ kind }) => kind === "iteration") ? "project" : "attempt";
  const { failed, ...logged } = await store.transaction(
    async (tx) => {
      const [{ task, attempt }, known] = await Promise.all([
        getHeldAttempt(tx, taskId, runId, clock()),
        listKnownKeys(tx, taskId, entries),
      ]);
      const { duplicates } = await recordActions(tx, attempt, entries, known);
      const failedIterations: WorkReport[] = [];
      for (const entry of entries) {
        if (entry.kind !== "iteration") continue;
        const now = entry.result.timestamp ?? clock().toISOString();
        const report = await recordIterationEnd(tx, task, attempt, entry.result, { now, window });
        if (report !== undefined) failedIterations.push(report);
      }
      return { logged: entries.length - duplicates, duplicates, failed: failedIterations };
    },
    { holds },
  );
  const degraded = failed.length === 0 ? [] : await improveReflections(context, failed);
  return degraded.length === 0 ? logged : { ...logged, degraded };
}

/** The keys of entries that were logged before. */
export async function listKnownKeys(
  tx: Repositories,
  taskId: string,
  entries: readonly LogEntry[],
): Promise<Set<string>> {
  const keys = entries.flatMap((entry) =>
    entry.kind === "action" && entry.idempotencyKey !== undefined ? [entry.idempotencyKey] : [],
  );
  const number = numberOfTaskId(taskId);
  if (keys.length === 0 || number === undefined) return new Set();
  return new Set(await tx.actions.listKnownKeys(number, keys));
}

/** Precedes the ends of iterations, which read the actions. */
export async function recordActions(
  tx: Repositories,
  attempt: StoredAttempt,
  entries: readonly LogEntry[],
  known: Set<string>,
): Promise<{ duplicates: number }> {
  const fresh: KeyedAction[] = [];
  let duplicates = 0;
  let iteration = 0;
  for (const entry of entries) {
    if (entry.kind === "milestone") await tx.actions.recordMilestone(attempt.key, entry.milestone);
    else if (entry.kind === "iteration") iteration = Math.max(iteration, entry.result.iteration);
    else {
      const { action, idempotencyKey: key } = entry;
      if (key !== undefined && known.has(key)) duplicates += 1;
      else fresh.push({ action, key });
      if (key !== undefined) known.add(key);
      iteration = Math.max(iteration, action.iteration);
    }
  }
  if (fresh.length > 0) await tx.actions.recordAll(attempt.key, fresh);
  const performed = fresh.filter(({ action }) => !isByRalph(action)).length;
  await tx.attempts.countActions(attempt.key, performed, iteration);
  return { duplicates };
}

/** One line of a log: an action, a milestone (`event`), or how an iteration ended (`outcome`, `quality`). */
export type LogEntry =
  | { kind: "action"; action: Action; idempotencyKey: string | undefined }
  | { kind: "milestone"; milestone: Milestone }
  | { kind: "iteration"; result: IterationResult };

/** An action with a key; one whose key is already recorded is skipped. */
export interface NewAction extends Action {
  idempotencyKey: string | undefined;
}

/** An action of a runner as an entry, with secrets redacted. */
export function toLogEntry({ idempotencyKey: key, ...action }: NewAction): LogEntry {
  return {
    kind: "action",
    action: storableAction(action),
    idempotencyKey: key === undefined ? undefined : redact(key).text,
  };
}

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

/** The action with secrets redacted and long texts clipped. */
export function storableAction({ output, error, ...rest }: Action): Action {
  // Long texts are clipped before they are redacted.
  const { params, reasoning, expected_outcome: expected, ...action } = redactDeep(clipDeep(rest));
  return {
    ...action,
    params,
    ...(output !== undefined && { output: clipOutput(output) }),
    ...(error !== undefined && { error: clipOutput(error) }),
    ...(reasoning !== undefined && { reasoning: clipOutput(reasoning) }),
    ...(expected !== undefined && { expected_outcome: clipOutput(expected) }),
  };
}

const maxIteration = 1_000_000;

function isIteration(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= maxIteration;
}

export function checkIteration(iteration: number): void {
  if (!isIteration(iteration))
    throw new RalphError("wrong-use", `An iteration is a whole number, not ${iteration}`);
}

export function checkQuality(quality: number | undefined): void {
  if (quality !== undefined && !(quality >= 0 && quality <= 1))
    throw new RalphError("wrong-use", `Quality is a number from 0 to 1, not ${quality}`);
}
