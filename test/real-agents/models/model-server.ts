import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What a program asks of its model, whatever its protocol. */
export interface ModelRequest {
  /** All that the user's side said: the prompt, what the program adds to it, and notices. */
  prompt: string;
  /** What the program says by itself, in messages of the system or the developer: there hooks add to it. */
  added: string;
  /** What the tools of this session gave back so far. */
  toolResults: readonly string[];
  toolNames: readonly string[];
  /** As the program calls the session, where it tells. */
  session: string | undefined;
  /** All that it sent. */
  body: string;
}

/** What the model does: says something, and calls a tool or ends its turn. */
export interface ModelAnswer {
  text: string;
  call?: { tool: string; input: unknown };
  /** Tokens of the context that it is said to have read, where that matters. */
  usedTokens?: number;
}

export type ScriptedModel = (request: ModelRequest) => ModelAnswer;

/** How a model is spoken to. */
export interface Protocol {
  /** Whether it is the model that is asked, by the path of the address. */
  isModel(path: string): boolean;
  /** Whether something is asked on the side whose answer is one object, not a stream. */
  isAside?(path: string): boolean;
  /** Nothing for what a program asks on the side, such as a title for its session or a summary of its context. */
  read(body: unknown): Omit<ModelRequest, "body"> | undefined;
  /** The events of the stream, with their types where the protocol has types. */
  write(answer: ModelAnswer, number: number): ModelEvent[];
}

/** An event of a stream; some protocols give it a type. */
export type ModelEvent = object & { type?: string };

export interface ModelServer {
  address: string;
  requests: readonly ModelRequest[];
  stop(): Promise<void>;
}

/** What the model says to anything but the conversation itself. */
export const saidAside = "Something was asked on the side";
const aside: ModelAnswer = { text: `<summary>${saidAside}</summary>` };

/** A model on loopback that answers by a script. */
export async function startModelServer(protocol: Protocol, model: ScriptedModel): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  let answered = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    if (protocol.isAside?.(path)) {
      const [object] = protocol.write(aside, answered);
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(object));
      return;
    }
    if (request.method !== "POST" || !protocol.isModel(path)) {
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
      return;
    }
    const read = protocol.read(JSON.parse(body));
    const asked = read && { ...read, body };
    if (asked !== undefined) requests.push(asked);
    answered += 1;
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of protocol.write(asked === undefined ? aside : model(asked), answered)) {
      if (event.type !== undefined) response.write(`event: ${event.type}\n`);
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    }
    response.end();
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    stop: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
