import { readFileSync } from "node:fs";
import type { Client } from "pg";
import type { Environment } from "../../../domain/environment.js";
import type { StoreAddress } from "./address.js";
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
    await client.connect();
    return client;
  };
}

function tlsOf({ tls, certificateFile, host }: StoreAddress) {
  if (tls === "off") return false;
  return {
    rejectUnauthorized: tls === "verified",
    servername: host,
    ...(certificateFile !== undefined && { ca: readFileSync(certificateFile, "utf8") }),
  };
}
