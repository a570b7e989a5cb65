import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Memory } from "../../src/memory/memory.js";
import { type PageSetup, servePage } from "../../src/ui/serve-page.js";
import { eventually } from "./eventually.js";

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface PageServer {
  /** The addresses that were told, the last one valid. */
  addresses: string[];
  origin: string;
  /** Asks with exactly these headers; `Host` is right unless it is given. */
  ask(path: string, options?: AskOptions): Promise<Answer>;
  /** Exchanges a token for the secret of a tab. */
  enter(token: unknown): Promise<Answer>;
  /** Enters with the last address and returns the header `Authorization`. */
  visit(): Promise<string>;
  stop(): Promise<"stopped" | "idle">;
  ended: Promise<"stopped" | "idle">;
}

interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Serves the page of a memory, within this process, until the test ends. */
export async function startPage(memory: Memory, over: Partial<PageSetup> = {}): Promise<PageServer> {
  const stopping = new AbortController();
  const addresses: string[] = [];
  const ended = servePage({
    memory,
    version: "0.0.0",
    folder: join(import.meta.dirname, "../../dist/ui"),
    port: 0,
    host: undefined,
    idleMs: undefined,
    stop: stopping.signal,
    openAnew: async () => memory,
    resume: async () => undefined,
    onAddress: (address) => addresses.push(address),
    ...over,
  });
  ended.catch(() => undefined);
  const stop = () => {
    stopping.abort();
    return ended;
  };
  onTestFinished(async () => {
    await stop();
  });
  const first = await Promise.race([eventually(() => addresses[0]), ended.then(() => "")]);
  const { origin } = new URL(first ?? "");
  const ask = (path: string, { method = "GET", headers = {}, body }: AskOptions = {}) =>
    new Promise<Answer>((done, fail) => {
      const sent = request(origin + path, { method, headers });
      sent.on("response", (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => {
          text += piece;
        });
        response.on("end", () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
      });
      sent.on("error", fail);
      sent.end(body);
    });
  const enter = (token: unknown) =>
    ask("/api/session", {
      method: "POST",
      headers: { origin, "content-type": "application/json" },
      body: JSON.stringify({ token }),
    });
  return {
    addresses,
    origin,
    ask,
    enter,
    async visit() {
      const { text } = await enter(new URL(addresses.at(-1) ?? "").hash.slice(1));
      return `Bearer ${(JSON.parse(text) as { secret: string }).secret}`;
    },
    stop,
    ended,
  };
}
