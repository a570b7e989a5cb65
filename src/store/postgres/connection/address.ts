import type { Environment } from "../../../domain/environment.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { hiddenUpToHost, shownAddress } from "../../../text/secrets/shown-address.js";

/** Where a team's store is. */
export interface StoreAddress {
  host: string;
  port: number;
  database: string;
  user: string;
  /** From the address itself; nobody should write it there. */
  password?: string;
  tls: "off" | "verified" | "unverified";
  /** A file with the certificate of whoever signed the server's. */
  certificateFile?: string;
  /** To be shown: without a password. */
  shown: string;
}

const modes: ReadonlyMap<string, StoreAddress["tls"]> = new Map<string, StoreAddress["tls"]>([
  ["disable", "off"],
  ["require", "verified"],
  ["verify-ca", "verified"],
  ["verify-full", "verified"],
  ["no-verify", "unverified"],
]);

/** Reads `postgres://user@host:port/database`; TLS is verified unless the server is on this machine. */
export function parseAddress(address: string, environment: Environment): StoreAddress {
  const url = parseUrl(address);
  const shown = shownAddress(address);
  const host = url.searchParams.get("host") ?? (decodeURIComponent(url.hostname) || "localhost");
  const isLocal = host.startsWith("/") || ["localhost", "127.0.0.1", "[::1]", "::1"].includes(host);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === "") throw wrong(shown, "it names no database");
  const mode = url.searchParams.get("sslmode");
  const tls = mode === null ? (isLocal ? "off" : "verified") : modes.get(mode);
  if (tls === undefined)
    throw wrong(shown, `sslmode is ${mode}; possible are ${[...modes.keys()].join(", ")}`);
  if (!isLocal && tls === "off")
    throw wrong(shown, "sslmode=disable would send the memory unencrypted to another machine");
  const certificateFile = url.searchParams.get("sslrootcert");
  return {
    host: host.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port || url.searchParams.get("port") || 5432),
    database,
    user: decodeURIComponent(url.username) || (environment.PGUSER ?? environment.USER ?? "postgres"),
    ...(url.password !== "" && { password: decodeURIComponent(url.password) }),
    tls,
    ...(certificateFile !== null && { certificateFile }),
    shown,
  };
}

export function isPostgresAddress(address: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(address);
}

function parseUrl(address: string): URL {
  try {
    if (isPostgresAddress(address)) return new URL(address);
  } catch {
    // Told below.
  }
  throw wrong(hiddenUpToHost(address), "it is no address of a PostgreSQL database");
}

function wrong(shown: string, why: string): RalphError {
  return new RalphError("invalid-settings", `The store ${shown} cannot be used: ${why}`, {
    hint: "write it as postgres://user@host:5432/database",
  });
}
