import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Environment, homeFolder } from "../../../domain/environment.js";
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
  /** A file with the certificate that signed the server's. */
  certificateFile?: string;
  /** Without a password, for messages. */
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
    // Reported below.
  }
  throw wrong(hiddenUpToHost(address), "it is no address of a PostgreSQL database");
}

function wrong(shown: string, why: string): RalphError {
  return new RalphError("invalid-settings", `The store ${shown} cannot be used: ${why}`, {
    hint: "write it as postgres://user@host:5432/database",
  });
}

/** From the environment, a file that it names, the address, or `~/.pgpass`; undefined if nobody gave one. */
export function findPassword(address: StoreAddress, environment: Environment): string | undefined {
  const given = environment.RALPH_STORE_PASSWORD || environment.PGPASSWORD;
  if (given) return given;
  const file = environment.RALPH_STORE_PASSWORD_FILE;
  if (file) return readPasswordFile(file);
  if (address.password !== undefined) return address.password;
  return fromPassFile(environment.PGPASSFILE ?? join(homeFolder(), ".pgpass"), address);
}

function readPasswordFile(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/\r?\n$/, "");
  } catch (cause) {
    throw new RalphError("file-unusable", `The password of the store cannot be read from ${path}`, {
      hint: "correct RALPH_STORE_PASSWORD_FILE",
      cause,
    });
  }
}

/** PostgreSQL ignores such a file when others may read it. */
function fromPassFile(path: string, { host, port, database, user }: StoreAddress): string | undefined {
  const isPrivate = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o777) & 0o077;
  if (process.platform !== "win32" && isPrivate !== 0) return undefined;
  const wanted = [host.startsWith("/") ? "localhost" : host, String(port), database, user];
  for (const line of readLines(path)) {
    if (line.startsWith("#")) continue;
    const fields = splitFields(line);
    if (fields.length === 5 && wanted.every((value, at) => fields[at] === "*" || fields[at] === value))
      return fields[4];
  }
  return undefined;
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split(/\r?\n/);
  } catch {
    return [];
  }
}

/** Fields are separated by colons; a backslash takes the next character as it is. */
function splitFields(line: string): string[] {
  return [...line.matchAll(/((?:\\.|[^:\\])*)(?::|$)/g)]
    .slice(0, 5)
    .map(([, field = ""]) => field.replace(/\\(.)/g, "$1"));
}
