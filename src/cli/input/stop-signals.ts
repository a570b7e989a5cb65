/** Signals that ask a long command to end: the first politely, the second at once. */
export interface StopSignals {
  stop: AbortSignal;
  kill: AbortSignal;
  close(): void;
}

const asking = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function listenForStop(onFirst: () => void): StopSignals {
  const stop = new AbortController();
  const kill = new AbortController();
  const heed = () => {
    if (stop.signal.aborted) {
      kill.abort();
      return;
    }
    onFirst();
    stop.abort();
  };
  for (const signal of asking) process.on(signal, heed);
  return {
    stop: stop.signal,
    kill: kill.signal,
    close() {
      for (const signal of asking) process.removeListener(signal, heed);
    },
  };
}
