import { readFileSync } from "node:fs";
import pg from "pg";
import type { Environment } from "../../../domain/environment.js";
import { findPassword, type StoreAddress } from "./address.js";

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

export async function connect(
  address: StoreAddress,
  { environment, connectTimeoutMs, answerTimeoutMs }: ConnectOptions,
): Promise<pg.Client> {
  const password = findPassword(address, environment);
  const config: pg.ClientConfig & { pipeline: boolean } = {
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
    // What is asked without waiting travels together.
    pipeline: true,
    types: types as never,
  };
  const client = new pg.Client(config);
  // A connection that ends between two statements is noticed by the next one.
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch (error) {
    cutConnection(client);
    throw error;
  }
  return client;
}

/** Ends a connection without a word to the server, which may not listen any more. */
export function cutConnection(client: pg.Client): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
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
