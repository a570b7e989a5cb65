import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { teamStoreVariables } from "./postgres/team-store-variables.js";

export const ralphProgram = resolve(import.meta.dirname, "../../dist/cli/main.cjs");

export const ralphLibrary = resolve(import.meta.dirname, "../../dist/library/index.js");

export interface RalphResult {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  cwd: string;
  input?: string | Buffer;
  /** One that is undefined is taken away. */
  env?: Record<string, string | undefined>;
  /** Runs as this user; only root can. */
  uid?: number;
  /** Other than Node and the build of this checkout. */
  build?: { node: string; program: string };
  /** Asks it to end. */
  signal?: AbortSignal;
}

/** Runs the built command in a process of its own, with a home of its own inside the folder's `.home`. */
export function runRalph(args: readonly string[], options: RunOptions): Promise<RalphResult> {
  const { node, program } = options.build ?? { node: process.execPath, program: ralphProgram };
  return run(node, [program, ...args], options);
}

/** Runs a module of its own, which may import the built library. */
export function runNode(script: string, cwd: string): Promise<RalphResult> {
  return run(process.execPath, ["--input-type=module", "-e", script], { cwd });
}

function run(
  program: string,
  args: readonly string[],
  { cwd, input, env = {}, uid, signal }: RunOptions,
): Promise<RalphResult> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, {
      cwd,
      env: ralphEnvironment(cwd, env),
      ...(uid !== undefined && { uid, gid: uid }),
      ...(signal !== undefined && { signal }),
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.on("error", fail);
    child.on("close", (status) => done({ status, stdout: text(stdout), stderr: text(stderr) }));
    // A command that refuses its input ends before all of it is written.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}

/** A test wrote the project's files itself, so they are trusted. */
export function ralphEnvironment(cwd: string, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  shareCompileCache(join(cwd, ".home"));
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("RALPH_") && name !== "NODE_EXTRA_CA_CERTS",
  );
  return {
    ...Object.fromEntries(kept),
    RALPH_HOME: join(cwd, ".home"),
    RALPH_TRUST: "1",
    // Whoever runs the tests is not named in them.
    GIT_CONFIG_GLOBAL: "/dev/null",
    ...teamStoreVariables(),
    ...env,
  };
}

const compileCache = resolve(import.meta.dirname, "../../node_modules/.cache/ralph-test-compile-cache");
mkdirSync(compileCache, { recursive: true });

/** Most tests have a home of their own, where each command would be compiled again. */
function shareCompileCache(home: string): void {
  try {
    mkdirSync(home, { mode: 0o700 });
    symlinkSync(compileCache, join(home, "cache"));
  } catch {
    // It is there already, or the test has a folder that cannot have it.
  }
}

function text(chunks: Buffer[]): string {
  return Buffer.concat(chunks).toString("utf8");
}
