/** The first signal asks a long command to stop; the second kills it. */
export interface StopSignals {
  stop: AbortSignal;
  kill: AbortSignal;
  close(): void;
}

const stopSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export function listenForStop(onFirst: () => void): StopSignals {
  const stop = new AbortController();
  const kill = new AbortController();
  const onSignal = () => {
    if (stop.signal.aborted) {
      kill.abort();
      return;
    }
    onFirst();
    stop.abort();
  };
  for (const signal of stopSignals) process.on(signal, onSignal);
  return {
    stop: stop.signal,
    kill: kill.signal,
    close() {
      for (const signal of stopSignals) process.removeListener(signal, onSignal);
    },
  };
}
