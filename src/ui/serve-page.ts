import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Memory } from "../memory/memory.js";
import { bearerOf, listen, loopback, loopbackHosts } from "../net/loopback.js";
import { isPageFile, loadPageFiles, sendPageFile } from "./http/page-files.js";
import { readJson, refuseRequest } from "./http/requests.js";
import { problemOf, sendJson, sendProblem, sendRefusal, sendTooLarge } from "./http/send.js";
import { makeSessions } from "./http/sessions.js";
import { makeLiveRuns } from "./live/push-changes.js";
import { type PageContext, Raw } from "./routes/route.js";
import { findRoute } from "./routes/routes.js";
import { viewRuns } from "./views/run-view.js";
import { asText } from "./views/shown-text.js";

export interface PageSetup extends Omit<PageContext, "now"> {
  memory: Memory;
  /** The folder with the built page. */
  folder: string;
  /** 0 takes a free one. */
  port: number;
  /** Another interface than this machine's own; its address then stays valid. */
  host: string | undefined;
  /** How long nobody may ask for anything; undefined for any time. */
  idleMs: number | undefined;
  /** Aborted to end the server. */
  stop: AbortSignal;
  /** Told once requests are answered, and again when the address was used and there is another. */
  onAddress(address: string, isFirst: boolean): void;
}

/** Serves the page until it is told to stop, or nobody has used it for long. */
export async function servePage(setup: PageSetup): Promise<"stopped" | "idle"> {
  const files = loadPageFiles(setup.folder);
  const isOwnMachine = setup.host === undefined;
  const sessions = makeSessions(isOwnMachine, () => setup.onAddress(address(), false));
  const live = makeLiveRuns(() =>
    viewRuns(setup.memory).then(
      (runs) => asText({ runs }),
      (error: unknown) => ({ problem: problemOf(error) }),
    ),
  );
  const context: PageContext = { ...setup, now: () => new Date() };
  let port = setup.port;
  let lastAsked = Date.now();
  /** Whoever is not let in does not use it. */
  const noteUse = () => {
    lastAsked = Date.now();
  };
  const address = () => `http://${urlHost(setup.host ?? loopback)}:${port}/#${sessions.token()}`;

  /** Gives a tab that has the token of the address a secret of its own. */
  const enter = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readJson(request);
    if (body === "gone") return;
    if (body === "too-large") return sendTooLarge(request, response);
    if (typeof body.token !== "string" || !sessions.takeToken(body.token))
      return sendRefusal(request, response, unauthorized);
    noteUse();
    await sendJson(response, { secret: sessions.open() });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const ownHosts = isOwnMachine ? loopbackHosts(port) : hostsOf(setup.host ?? "", port, request);
    const refusal = refuseRequest(request, ownHosts);
    if (refusal !== undefined) return sendRefusal(request, response, refusal);
    const url = addressOf(request);
    const path = url?.pathname ?? "";
    const name = path.slice(1);
    const isApi = path.startsWith("/api/");
    const isRead = request.method === "GET" || request.method === "HEAD";
    // The page itself holds nothing of the memory, and it is the page that reads the token of its address.
    if (url !== undefined && !isApi && isRead)
      return sendPageFile(files, isPageFile(name) ? name : "index.html", request, response);
    if (path === "/api/session" && request.method === "POST") return enter(request, response);
    if (!sessions.isOpen(bearerOf(request.headers.authorization) ?? ""))
      return sendRefusal(request, response, unauthorized);
    noteUse();
    if (path === "/api/live" && request.method === "GET") return live.follow(response);
    const found = url && findRoute(isRead ? "GET" : "POST", path);
    if (url === undefined || found === undefined) return sendRefusal(request, response, notFound);
    const { memory } = setup;
    const body = request.method === "POST" ? await readJson(request) : {};
    if (body === "gone") return;
    if (body === "too-large") return sendTooLarge(request, response);
    const value = await found.route({
      memory,
      parts: found.parts,
      query: url.searchParams,
      body,
      page: context,
    });
    await sendJson(response, value instanceof Raw ? value.value : asText(value), { request });
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else void sendProblem(response, asText(problemOf(error)));
    });
  });
  port = await listen(server, setup.port, setup.host ?? loopback);
  setup.onAddress(address(), true);
  return new Promise((done, fail) => {
    const end = (how: "stopped" | "idle") => {
      clearInterval(timer);
      live.close();
      server.close(() => done(how));
      server.closeAllConnections();
    };
    const { idleMs } = setup;
    const timer =
      idleMs === undefined
        ? undefined
        : setInterval(
            () => {
              if (live.listeners === 0 && Date.now() - lastAsked >= idleMs) end("idle");
            },
            Math.min(idleMs / 4, maxIdleCheckMs),
          );
    if (setup.stop.aborted) end("stopped");
    else setup.stop.addEventListener("abort", () => end("stopped"), { once: true });
    server.on("error", fail);
  });
}

const unauthorized = { status: 401, message: "Unauthorized" };
const notFound = { status: 404, message: "Not found" };
const maxIdleCheckMs = 30_000;

/** What is asked for; undefined for what is no path of this server, such as `//`, which would name another one. */
function addressOf({ url = "" }: IncomingMessage): URL | undefined {
  if (!/^\/(?![/\\])/.test(url)) return undefined;
  return URL.canParse(url, "http://page") ? new URL(url, "http://page") : undefined;
}

function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/**
 * On another interface: its own name, and for one that stands for all of them the numeric address that the request came to, which
 * no web page can let a name of its own point to unnoticed.
 */
function hostsOf(host: string, port: number, { socket }: IncomingMessage): string[] {
  const local = socket.localAddress?.replace(/^::ffff:/, "") ?? "";
  return [...loopbackHosts(port), `${urlHost(host)}:${port}`, `${urlHost(local)}:${port}`];
}
