import { readFileSync } from "node:fs";
import type { Client } from "pg";
import type { Environment } from "../../../domain/environment.js";
import { RalphError } from "../../../domain/ralph-error.js";
import type { StoreAddress } from "./address.js";
import { checkMessages } from "./check-messages.js";
import { findPassword } from "./find-password.js";
import { loadClient } from "./load-client.js";

export interface ConnectOptions {
  environment: Environment;
  /** How long to wait for the server to answer, first of all and then each time. */
  connectTimeoutMs: number;
  answerTimeoutMs: number;
}

const numbers = [20, 21, 23, 26, 700, 701, 1700];
const bool = 16;
const bytea = 17;

/** Keys and counts are far below where numbers become inexact; everything else is text. */
const types = {
  getTypeParser(type: number) {
    if (numbers.includes(type)) return Number;
    if (type === bool) return (text: string) => text === "t";
    if (type === bytea) return (text: string) => Buffer.from(text.slice(2), "hex");
    return (text: string) => text;
  },
};

/** How connections to a server are made. */
export function makeConnect(
  address: StoreAddress,
  { environment, connectTimeoutMs, answerTimeoutMs }: ConnectOptions,
): () => Promise<Client> {
  return async () => {
    const ClientClass = await loadClient();
    const password = findPassword(address, environment);
    const client = new ClientClass({
      host: address.host,
      port: address.port,
      database: address.database,
      user: address.user,
      ...(password !== undefined && { password }),
      ssl: tlsOf(address),
      application_name: "ralph",
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: answerTimeoutMs,
      keepAlive: true,
      pipeline: true,
      types: types as never,
    });
    // A connection that ends between two statements is noticed by the next one.
    client.on("error", () => undefined);
    distrust(client, address.shown);
    try {
      await client.connect();
    } catch (error) {
      cutConnection(client);
      throw error;
    }
    return client;
  };
}

/** The parts of a client that it has no names for. */
interface ClientParts {
  connection: {
    stream: ByteStream;
    attachListeners(stream: Pick<ByteStream, "on">): void;
  };
}

interface ByteStream {
  on(event: string, listener: (chunk: Buffer) => void): unknown;
  destroy(error?: Error): void;
}

/** Ends a connection with all that it was asked, without a word to the server, which may not listen any more. */
export function cutConnection(client: Client): void {
  (client as unknown as ClientParts).connection.stream.destroy();
}

/** What does not look like PostgreSQL's answer ends the connection before the client reads it. */
function distrust(client: Client, shown: string): void {
  const { connection } = client as unknown as ClientParts;
  const attach = connection.attachListeners.bind(connection);
  connection.attachListeners = (stream) => {
    const { stream: current } = connection;
    attach({
      on(event, listener) {
        if (event !== "data") return stream.on(event, listener);
        const check = checkMessages(listener);
        return stream.on("data", (chunk) => {
          try {
            check(chunk);
          } catch (cause) {
            current.destroy(strangeAnswer(shown, cause));
          }
        });
      },
    });
  };
}

function strangeAnswer(shown: string, cause: unknown): RalphError {
  return new RalphError("store-refused", `What answers at ${shown} does not speak as PostgreSQL does`, {
    hint: "check the address",
    cause,
  });
}

function tlsOf({ tls, certificateFile, host }: StoreAddress) {
  if (tls === "off") return false;
  return {
    rejectUnauthorized: tls === "verified",
    // Whom the certificate must name; the client adds it to its greeting unless it is only a number.
    host,
    ...(certificateFile !== undefined && { ca: readFileSync(certificateFile, "utf8") }),
  };
}
