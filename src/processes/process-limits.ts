/** What ended a program; `exit` is the program itself, also when something else killed it. */
export type EndedBy = "exit" | "timeout" | "idle" | "abort";

export interface ProcessLimits {
  timeoutMs?: number;
  /** How long it may print nothing. */
  idleTimeoutMs?: number;
  /** Asks it to end. */
  stop?: AbortSignal;
  /** Ends it at once. */
  kill?: AbortSignal;
}

export interface WatchedLimits {
  /** Which limit ended the run, when one does. */
  reached: Promise<EndedBy>;
  end(by: EndedBy): void;
  noteOutput(): void;
  quietMs(): number;
  close(): void;
}

/** Watches all of them; `close` must follow. */
export function watchLimits({ timeoutMs, idleTimeoutMs, stop, kill }: ProcessLimits): WatchedLimits {
  let end: (by: EndedBy) => void = () => undefined;
  const reached = new Promise<EndedBy>((resolve) => {
    end = resolve;
  });
  const abort = () => end("abort");
  let lastOutput = performance.now();
  const quietMs = () => performance.now() - lastOutput;
  const timer = timeoutMs ? setTimeout(() => end("timeout"), timeoutMs) : undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  const watchIdle = (limitMs: number) => {
    const leftMs = limitMs - quietMs();
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
    noteOutput: () => {
      lastOutput = performance.now();
    },
    quietMs,
    close() {
      clearTimeout(timer);
      clearTimeout(idleTimer);
      for (const signal of [stop, kill]) signal?.removeEventListener("abort", abort);
    },
  };
}
