/** What ended a program; `exit` means that Ralph did not. */
export type EndedBy = "exit" | "timeout" | "idle" | "abort";

export interface ProcessLimits {
  timeoutMs?: number;
  /** How long it may go without output. */
  idleTimeoutMs?: number;
  /** Asks it to terminate. */
  stop?: AbortSignal;
  /** Kills it at once. */
  kill?: AbortSignal;
}

interface WatchedLimits {
  /** Resolves when a limit is reached. */
  reached: Promise<EndedBy>;
  end(by: EndedBy): void;
  recordOutput(): void;
  idleMs(): number;
  close(): void;
}

/** Callers must call `close`. */
export function watchLimits({ timeoutMs, idleTimeoutMs, stop, kill }: ProcessLimits): WatchedLimits {
  let end: (by: EndedBy) => void = () => undefined;
  const reached = new Promise<EndedBy>((resolve) => {
    end = resolve;
  });
  const abort = () => end("abort");
  let lastOutput = performance.now();
  const idleMs = () => performance.now() - lastOutput;
  const timer = timeoutMs ? setTimeout(() => end("timeout"), timeoutMs) : undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const watchIdle = (limitMs: number) => {
    const leftMs = limitMs - idleMs();
    if (leftMs <= 0) end("idle");
    else idleTimer = setTimeout(watchIdle, leftMs, limitMs);
  };
  if (idleTimeoutMs) watchIdle(idleTimeoutMs);
  for (const signal of [stop, kill]) {
    if (signal?.aborted) abort();
    signal?.addEventListener("abort", abort, { once: true });
  }
  return {
    reached,
    end,
    recordOutput: () => {
      lastOutput = performance.now();
    },
    idleMs,
    close() {
      clearTimeout(timer);
      clearTimeout(idleTimer);
      for (const signal of [stop, kill]) signal?.removeEventListener("abort", abort);
    },
  };
}
