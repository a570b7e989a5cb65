import { useEffect, useState } from "preact/hooks";
import type { RunView } from "../src/ui/views/run-view.js";
import type { Problem } from "./api.js";
import { authorized } from "./session.js";

export interface Live {
  runs: RunView[] | undefined;
  problem: Problem | undefined;
  isConnected: boolean;
}

interface Told {
  runs?: RunView[];
  problem?: Problem;
}

const retryMs = 2000;

/** What runs now, as it changes. A page that nobody looks at does not ask, so that the server may end. */
export function useLive(): Live {
  const [live, setLive] = useState<Live>({ runs: undefined, problem: undefined, isConnected: false });
  useEffect(() => {
    let leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = () => {
      leaving.abort();
      clearTimeout(timer);
    };
    const follow = () => {
      stop();
      if (document.visibilityState !== "visible") return;
      leaving = new AbortController();
      const { signal } = leaving;
      readLines(signal, ({ runs, problem }) =>
        setLive((before) => ({ runs: runs ?? before.runs, problem, isConnected: true })),
      )
        .catch(() => undefined)
        .then(() => {
          if (signal.aborted) return;
          setLive((before) => ({ ...before, isConnected: false }));
          timer = setTimeout(follow, retryMs);
        });
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      stop();
    };
  }, []);
  return live;
}

/** Each line is a JSON value, or empty to show that the server is there. `EventSource` cannot send a header. */
async function readLines(signal: AbortSignal, onTold: (told: Told) => void): Promise<void> {
  const { ok, body } = await fetch("/api/live", { ...authorized(), signal });
  if (!ok || body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") onTold(JSON.parse(line) as Told);
  }
}
