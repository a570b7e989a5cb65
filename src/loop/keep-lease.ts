import { heartbeatMs } from "../domain/tasks/run.js";
import type { RunVerbs } from "../memory/runs/runs.js";

/** Renews a run's lease while it works, and aborts `lost` when another run has taken the task over. */
export function keepLease(
  runs: Pick<RunVerbs, "renew">,
  runId: number,
  everyMs = heartbeatMs,
): { lost: AbortSignal; close(): void } {
  const lost = new AbortController();
  let isBeating = false;
  const beat = async () => {
    if (isBeating) return;
    isBeating = true;
    try {
      if (!(await runs.renew(runId))) lost.abort();
    } catch {
      // The database is busy or unavailable: the next heartbeat, or the next record, tries again.
    } finally {
      isBeating = false;
    }
  };
  const timer = setInterval(beat, everyMs).unref();
  return { lost: lost.signal, close: () => clearInterval(timer) };
}
