import type { Runner } from "../domain/tasks/attempt.js";
import { hasLapsed } from "../domain/tasks/lease.js";
import { stateOf } from "./runner.js";

/** A process that holds a task, and until when it said so. */
export interface Holder {
  runner?: Runner | undefined;
  lease_until?: string | undefined;
}

/**
 * Whether the task is held. What is known of the process counts first: one that is gone holds nothing, and one that runs
 * here keeps its task even if the machine slept. Of one that cannot be seen from here, the lease tells; without a lease,
 * its last record.
 */
export async function isHeld(
  { runner, lease_until: until }: Holder,
  now: Date,
  { lastRecorded, silenceMs }: { lastRecorded: () => Promise<string>; silenceMs: number },
): Promise<boolean> {
  const state = stateOf(runner);
  if (state !== "unknown") return state === "running";
  if (until !== undefined) return !hasLapsed(until, now);
  const silentMs = now.getTime() - Date.parse(await lastRecorded());
  // A time in the future was recorded by a clock that is wrong.
  return Math.abs(silentMs) < silenceMs;
}
