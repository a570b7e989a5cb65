import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isObject } from "../domain/shape.js";

export type Era = "legacy" | "modern";

/** The URIs of a client's roots. */
export interface Roots {
  uris: readonly string[];
  /** The client has roots, and did not say which. */
  isUntold?: true;
}

/** A client's roots, or the question that it must answer first. */
export type AskedRoots = Roots | { question: InputRequiredResult };

export const noRoots: Roots = { uris: [] };
const untold: Roots = { uris: [], isUntold: true };
/** As long as a timer can: an answer counts however late it comes. */
const untilClosedMs = 2 ** 31 - 1;

/**
 * Asks a client for its roots, if it has any: from 2026-07-28 on by answering a request with a question, each time, because
 * nothing tells when they change; before that by a request of our own, again when the client says that they changed. A client
 * that leaves it open for `patienceMs` is not waited for again.
 */
export function askForRoots(
  server: Server,
  era: Era,
  patienceMs: () => number,
): (context: ServerContext) => Promise<AskedRoots> {
  if (era === "modern")
    return async ({ mcpReq: { envelope, inputResponses } }) => {
      const sent: Record<string, ClientCapabilities | undefined> = { ...envelope };
      const abilities = sent[CLIENT_CAPABILITIES_META_KEY];
      if (abilities?.roots === undefined) return noRoots;
      if (inputResponses !== undefined) return rootsIn(inputResponses.roots);
      return { question: inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }) };
    };

  let known: Promise<Roots> | undefined;
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    known = undefined;
  });
  const ask = () => {
    const told = server.listRoots(undefined, { timeout: untilClosedMs }).then(rootsIn);
    const asked = toldWithin(patienceMs(), told);
    told.then(
      () => {
        if (known === asked) known = told;
      },
      () => undefined,
    );
    return asked;
  };
  return async () => {
    if (server.getClientCapabilities()?.roots === undefined) return noRoots;
    known ??= ask();
    try {
      return await known;
    } catch {
      // A client that answers with an error may know later: the next request asks again.
      known = undefined;
      return untold;
    }
  };
}

function toldWithin(timeoutMs: number, told: Promise<Roots>): Promise<Roots> {
  return new Promise((done, fail) => {
    const timer = setTimeout(done, timeoutMs, untold);
    told.then(done, fail).finally(() => clearTimeout(timer));
  });
}

function rootsIn(answer: unknown): Roots {
  if (!isObject(answer) || !Array.isArray(answer.roots)) return untold;
  const uris = answer.roots.flatMap((root: unknown) =>
    isObject(root) && typeof root.uri === "string" ? [root.uri] : [],
  );
  return { uris };
}
