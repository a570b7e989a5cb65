import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Environment, homeFolder } from "../../../domain/environment.js";
import { RalphError } from "../../../domain/ralph-error.js";
import type { StoreAddress } from "./address.js";

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
