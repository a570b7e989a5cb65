import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { RalphError } from "../domain/ralph-error.js";
import {
  bearerOf,
  listen,
  loopback,
  loopbackHosts,
  makeToken,
  type Refusal,
  readBody,
  refuse,
  refuseForeign,
  tokenCheck,
} from "../net/loopback.js";
import { openProjectsOnce } from "./client-project.js";
import { makeServer, type ServerSetup } from "./make-server.js";

export interface HttpSetup extends ServerSetup {
  /** 0 takes a free one. */
  port: number;
  /** What clients must send; a random one by default. */
  token: string | undefined;
  /** Told once requests are answered. */
  onListening(address: string, token: string): void;
}

const path = "/mcp";
const maxBodyBytes = 16 * 1024 * 1024;
const minTokenLength = 16;

const unknownCaller: Refusal = {
  status: 401,
  text: "The token is missing or wrong: send it as Authorization: Bearer\n",
  headers: { "www-authenticate": "Bearer" },
};
const tooLarge: Refusal = {
  status: 413,
  text: JSON.stringify({
    jsonrpc: "2.0",
    id: null,
    error: { code: -32000, message: `Request too large: more than ${maxBodyBytes} bytes` },
  }),
  headers: { "content-type": "application/json" },
};

/** Serves clients on this machine that know the token, for as long as the process runs. */
export async function serveOverHttp(given: HttpSetup): Promise<never> {
  const setup = { ...given, openProject: openProjectsOnce(given.openProject) };
  const token = given.token ?? makeToken();
  if (token.length < minTokenLength || /\s/.test(token))
    throw new RalphError("wrong-use", "The token is too easy to guess", {
      hint: `RALPH_MCP_TOKEN needs ${minTokenLength} characters or more, without spaces`,
    });
  const isToken = tokenCheck(token);

  const handler = createMcpHandler(({ era }) => makeServer(setup, era), {
    maxRequestBodySize: maxBodyBytes,
    onerror: setup.onFault,
  });
  let port = given.port;
  const server = createServer((request, response) => {
    const { host, origin, authorization } = request.headers;
    const foreign = refuseForeign({ host, origin }, loopbackHosts(port));
    const bearer = bearerOf(authorization);
    const refuseWith = (refusal: Refusal) => refuse(request, response, refusal);
    if (foreign !== undefined) refuseWith({ status: 403, text: `${foreign}\n` });
    else if (bearer === undefined || !isToken(bearer)) refuseWith(unknownCaller);
    else if (request.url?.split("?")[0] !== path)
      refuseWith({ status: 404, text: `There is only ${path}\n` });
    else
      answer(handler, request, response).catch((error: unknown) => {
        setup.onFault(error instanceof Error ? error : new Error(String(error)));
        if (response.headersSent) response.destroy();
        else refuseWith({ status: 500, text: "Internal error\n" });
      });
  });
  port = await listen(server, given.port);
  given.onListening(`http://${loopback}:${port}${path}`, token);
  return new Promise<never>((_, fail) => server.on("error", fail));
}

/** The handler speaks in requests and responses as web browsers do. */
async function answer(
  handler: McpHttpHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const hasBody = request.method !== "GET" && request.method !== "HEAD";
  const body = hasBody ? await readBody(request, maxBodyBytes) : undefined;
  if (body === "gone") return;
  if (body === "too-large") {
    refuse(request, response, tooLarge);
    return;
  }
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  );
  const asked = new Request(`http://${request.headers.host}${request.url}`, {
    method: request.method ?? "GET",
    headers,
    signal: gone.signal,
    ...(body !== undefined && { body }),
  });
  const answered = await handler.fetch(asked);
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  if (answered.body === null) {
    response.end();
    return;
  }
  for await (const piece of answered.body) if (!response.write(piece)) await drained(response);
  response.end();
}

/** A client that is gone drains nothing. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((done) => {
    response.once("drain", done);
    response.once("close", done);
  });
}
