import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { ago, duration, fullTime } from "../words.js";

const Now = createContext(Date.now());

/** One clock for all times on the page. */
export function useClock(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export const ClockProvider = Now.Provider;

export function Ago({ time }: { time: string }) {
  const now = useContext(Now);
  return (
    <time dateTime={time} title={fullTime(time)}>
      {ago(time, Math.max(now, Date.now()))}
    </time>
  );
}

/** Counts on while something runs. */
export function Elapsed({ from, to }: { from: string; to?: string | undefined }) {
  const now = useClock(1000);
  return <>{duration((to === undefined ? now : Date.parse(to)) - Date.parse(from))}</>;
}
