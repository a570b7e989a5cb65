import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequiredResult,
  inputRequired,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isObject } from "../../domain/shape.js";

export type Era = "legacy" | "modern";

/** The URIs of a client's roots, or the question that must be answered first. */
export type AskedRoots = { uris: string[] } | { question: InputRequiredResult };

const patienceMs = 10_000;

/**
 * Asks a client for its roots, if it has any: from 2026-07-28 on by answering a request with a question, each time, because
 * nothing tells when they change; before that by a request of our own, again when the client says that they changed.
 */
export function askForRoots(server: Server, era: Era): (context: ServerContext) => Promise<AskedRoots> {
  if (era === "modern")
    return async ({ mcpReq: { envelope, inputResponses } }) => {
      const sent: Record<string, ClientCapabilities | undefined> = { ...envelope };
      const abilities = sent[CLIENT_CAPABILITIES_META_KEY];
      if (abilities?.roots === undefined) return { uris: [] };
      if (inputResponses !== undefined) return { uris: urisOf(inputResponses.roots) };
      return { question: inputRequired({ inputRequests: { roots: inputRequired.listRoots() } }) };
    };

  let known: Promise<string[]> | undefined;
  server.setNotificationHandler("notifications/roots/list_changed", () => {
    known = undefined;
  });
  const ask = async () => urisOf(await server.listRoots(undefined, { timeout: patienceMs }));
  return async () => {
    if (server.getClientCapabilities()?.roots === undefined) return { uris: [] };
    known ??= ask();
    try {
      return { uris: await known };
    } catch {
      // A client that cannot tell is one without roots; the next request asks again.
      known = undefined;
      return { uris: [] };
    }
  };
}

function urisOf(answer: unknown): string[] {
  if (!isObject(answer) || !Array.isArray(answer.roots)) return [];
  return answer.roots.flatMap((root: unknown) =>
    isObject(root) && typeof root.uri === "string" ? [root.uri] : [],
  );
}
