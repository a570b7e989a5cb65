import type { ServerResponse } from "node:http";
import { safeHeaders } from "../http/send.js";

export interface LiveRuns {
  /** Sends what changes for as long as the browser listens. */
  follow(response: ServerResponse): void;
  readonly listeners: number;
  close(): void;
}

const lookEveryMs = 1000;
/** An empty line, so that a connection nobody closed is noticed. */
const heartbeatEvery = 20;

/** Looks only while somebody listens, once for all of them, and sends what is not as it was. */
export function makeLiveRuns(look: () => Promise<unknown>): LiveRuns {
  const listening = new Set<ServerResponse>();
  let last = "";
  let timer: NodeJS.Timeout | undefined;
  let isLooking = false;
  let rounds = 0;

  const send = (text: string) => {
    for (const response of listening) response.write(text);
  };
  const lookOnce = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const found = `${JSON.stringify(await look())}\n`;
      if (found !== last) send(found);
      last = found;
    } finally {
      isLooking = false;
    }
    rounds += 1;
    if (rounds % heartbeatEvery === 0) send("\n");
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    follow(response) {
      response.writeHead(200, { ...safeHeaders, "content-type": "application/x-ndjson" });
      response.flushHeaders();
      listening.add(response);
      response.on("close", () => {
        listening.delete(response);
        if (listening.size === 0) stop();
      });
      if (last !== "") response.write(last);
      timer ??= setInterval(() => void lookOnce(), lookEveryMs);
      void lookOnce();
    },
    get listeners() {
      return listening.size;
    },
    close() {
      stop();
      for (const response of listening) response.end();
    },
  };
}
