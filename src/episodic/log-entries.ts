import { type Action, isActionType, type Milestone } from "../domain/action.js";
import { RalphError } from "../domain/ralph-error.js";
import { clipOutput } from "../text/clip-output.js";
import { redact } from "../text/redact.js";
import type { EpisodicContext } from "./episodic-context.js";
import { getRunningAttempt, getTask } from "./get-task.js";

/** One line of a log: an action, a milestone (`event`), or the quality after an iteration (`quality`). */
export type LogEntry =
  | { kind: "action"; action: Action; idempotencyKey: string | undefined }
  | { kind: "milestone"; milestone: Milestone }
  | { kind: "quality"; iteration: number; quality: number };

export interface Logged {
  logged: number;
  /** Entries that had been logged before. */
  duplicates: number;
}

/** Adds entries to the attempt that is under way. */
export async function logEntries(
  { store }: EpisodicContext,
  taskId: string,
  entries: readonly LogEntry[],
): Promise<Logged> {
  return store.transaction(async (tx) => {
    const task = await getTask(tx, taskId);
    const attempt = await getRunningAttempt(tx, task);
    let actions = 0;
    let duplicates = 0;
    let iteration = 0;
    for (const entry of entries) {
      if (entry.kind === "milestone") await tx.actions.recordMilestone(attempt.key, entry.milestone);
      else if (entry.kind === "quality") {
        await tx.attempts.recordQuality(attempt.key, entry.iteration, entry.quality);
        iteration = Math.max(iteration, entry.iteration);
      } else {
        const isNew = await tx.actions.record(attempt.key, entry.action, entry.idempotencyKey);
        if (isNew) actions += 1;
        else duplicates += 1;
        iteration = Math.max(iteration, entry.action.iteration);
      }
    }
    await tx.attempts.countActions(attempt.key, actions, iteration);
    return { logged: entries.length - duplicates, duplicates };
  });
}

/** Reads one entry as other programs write it; what is missing is filled in. */
export function readLogEntry(raw: unknown, now: string): LogEntry {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) throw wrong("is not an object");
  const entry = raw as Record<string, unknown>;
  const timestamp = readTime(entry.timestamp, now);
  if (typeof entry.event === "string") {
    const details = entry.details === undefined ? {} : { details: redact(asText(entry.details)).text };
    return { kind: "milestone", milestone: { timestamp, event: redact(entry.event).text, ...details } };
  }
  const iteration = readIteration(entry.iteration);
  const tool = entry.tool ?? entry.type;
  if (tool === undefined && typeof entry.quality === "number") {
    if (!(entry.quality >= 0 && entry.quality <= 1)) throw wrong("has a quality outside 0 to 1");
    return { kind: "quality", iteration, quality: entry.quality };
  }
  if (typeof tool !== "string" || tool === "") throw wrong('has neither "tool", "event" nor "quality"');
  return {
    kind: "action",
    idempotencyKey: entry.idempotency_key === undefined ? undefined : asText(entry.idempotency_key),
    action: {
      timestamp,
      iteration,
      ...(typeof entry.type === "string" && isActionType(entry.type) && { type: entry.type }),
      tool,
      params: readParams(entry.params),
      success: entry.success === undefined ? entry.error === undefined : entry.success === true,
      ...textField(entry, "output"),
      ...textField(entry, "error"),
      ...textField(entry, "reasoning"),
      ...textField(entry, "expected_outcome"),
    },
  };
}

function wrong(what: string): RalphError {
  return new RalphError("wrong-use", `A log entry ${what}`, {
    hint: 'such as {"tool":"Bash","params":{"command":"npm test"},"success":false}',
  });
}

function textField<Name extends string>(
  entry: Record<string, unknown>,
  name: Name,
): Partial<Record<Name, string>> {
  const value = entry[name];
  if (value === undefined || value === null) return {};
  return { [name]: clipOutput(asText(value)) } as Partial<Record<Name, string>>;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readTime(value: unknown, now: string): string {
  if (value === undefined || value === null) return now;
  const time = new Date(typeof value === "number" ? value : String(value));
  if (Number.isNaN(time.getTime())) throw wrong(`has a timestamp that is none: ${String(value)}`);
  return time.toISOString();
}

function readIteration(value: unknown): number {
  if (value === undefined || value === null) return 1;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0)
    throw wrong("has an iteration that is not a whole number");
  return value;
}

function readParams(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw wrong("has params that are not an object");
  return JSON.parse(redact(JSON.stringify(value)).text) as Record<string, unknown>;
}
