import { useEffect, useState } from "preact/hooks";
import type { RunView } from "../src/ui/views/run-view.js";
import type { Problem } from "./api.js";

export interface Live {
  runs: RunView[] | undefined;
  problem: Problem | undefined;
  isConnected: boolean;
}

/** What runs now, as it changes. A page that nobody looks at does not ask, so that the server may end. */
export function useLive(): Live {
  const [live, setLive] = useState<Live>({ runs: undefined, problem: undefined, isConnected: false });
  useEffect(() => {
    let source: EventSource | undefined;
    const open = () => {
      source = new EventSource("/api/live");
      source.addEventListener("runs", ({ data }: MessageEvent<string>) => {
        const { runs, problem } = JSON.parse(data) as { runs?: RunView[]; problem?: Problem };
        setLive((before) => ({ runs: runs ?? before.runs, problem, isConnected: true }));
      });
      source.addEventListener("error", () => setLive((before) => ({ ...before, isConnected: false })));
    };
    const follow = () => {
      source?.close();
      source = undefined;
      if (document.visibilityState === "visible") open();
    };
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      source?.close();
    };
  }, []);
  return live;
}
