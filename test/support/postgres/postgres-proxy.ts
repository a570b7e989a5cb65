import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandOf, type Message, readMessages, statementOf } from "./messages.js";

export interface Sent {
  statement: string;
  /** How many times the client had to wait for the server before it could send this; 1 is the first after connecting. */
  trip: number;
}

export interface ProxyOptions {
  /** Time to the server and back. */
  roundTripMs?: number;
  /** How many of the answers to COMMIT are lost with their connection, from 0 to 1. */
  cutCommits?: number;
  /** Gives each message of the server in the form that the client gets. */
  change?: (message: Message) => Buffer;
}

export interface PostgresProxy {
  /** The way to the database through the proxy. */
  address: string;
  /** What was sent since the last call, in order. */
  takeSent(): Sent[];
  cutCommits: number;
  /** How many connections were cut. */
  cuts(): number;
  /** Keeps connections open and passes nothing on. */
  freeze(): void;
  /** Ends all connections. */
  cutAll(): void;
  close(): Promise<void>;
}

/** Stands between a store and its server, both on sockets of this machine; sees, delays and breaks what they say. */
export async function startProxy(address: string, options: ProxyOptions = {}): Promise<PostgresProxy> {
  const { roundTripMs = 0, change } = options;
  const url = new URL(address);
  const upstream = join(
    url.searchParams.get("host") ?? "",
    `.s.PGSQL.${url.searchParams.get("port") ?? 5432}`,
  );
  const folder = mkdtempSync(join(tmpdir(), "ralph-proxy-"));
  url.searchParams.set("host", folder);
  url.searchParams.delete("port");
  const sockets = new Set<Socket>();
  let sent: Sent[] = [];
  let cuts = 0;
  let isFrozen = false;
  const later = (work: () => void) => {
    if (roundTripMs === 0) work();
    else setTimeout(work, roundTripMs / 2);
  };
  const pass = (to: Socket, bytes: Buffer) =>
    later(() => {
      if (!isFrozen && !to.destroyed) to.write(bytes);
    });

  const server = createServer((client) => {
    const behind = createConnection(upstream);
    const both = [client, behind];
    const end = () => {
      for (const socket of both) socket.destroy();
    };
    for (const socket of both) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        later(end);
      });
    }
    const fromClient = readMessages({ startsUntyped: true });
    const fromServer = readMessages({ startsUntyped: false });
    // The way that a client waited for is counted as a clock would be that travels with the messages.
    const trips = { answered: 0, reachedServer: 0 };
    let isReady = false;
    let isDoomed = false;

    client.on("data", (chunk: Buffer) => {
      const trip = trips.answered + 1;
      for (const message of fromClient(chunk)) {
        const statement = statementOf(message);
        if (statement !== undefined) sent.push({ statement, trip });
        if (statement === "COMMIT" && Math.random() < proxy.cutCommits) isDoomed = true;
      }
      later(() => {
        if (isReady) trips.reachedServer = Math.max(trips.reachedServer, trip);
      });
      pass(behind, chunk);
    });
    behind.on("data", (chunk: Buffer) => {
      const messages = fromServer(chunk);
      const trip = trips.reachedServer;
      if (isDoomed && messages.some((message) => commandOf(message) === "COMMIT")) {
        cuts += 1;
        return end();
      }
      later(() => {
        trips.answered = Math.max(trips.answered, trip);
        isReady ||= messages.some(({ type }) => type === "Z");
      });
      pass(client, change === undefined ? chunk : Buffer.concat(messages.map(change)));
    });
  });
  await new Promise<void>((resolve) => server.listen(join(folder, ".s.PGSQL.5432"), resolve));

  const cutAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const proxy: PostgresProxy = {
    address: url.href,
    takeSent() {
      const taken = sent;
      sent = [];
      return taken;
    },
    cutCommits: options.cutCommits ?? 0,
    cuts: () => cuts,
    freeze() {
      isFrozen = true;
    },
    cutAll,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          rmSync(folder, { recursive: true, force: true });
          resolve();
        });
        cutAll();
      }),
  };
  return proxy;
}
