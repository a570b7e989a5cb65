import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { findProcess, isRunning } from "../../src/processes/process-table.js";
import { eventually } from "./eventually.js";
import { ralphEnvironment, ralphProgram } from "./run-ralph.js";

/** What is between a client and its server: a process that keeps the server's input open, or a shell that started it. */
export type Between = "nobody" | "holder" | "shell";

export interface ShortClient {
  client: ChildProcess;
  /** The process of the server. */
  server: number;
  between: number | undefined;
  /** The server has answered. */
  answered(): Promise<unknown>;
}

/** A client in a process of its own that has started a server. */
export async function startShortClient(cwd: string, between: Between = "nobody"): Promise<ShortClient> {
  const script = join(import.meta.dirname, "short-client.cjs");
  const client = spawn(process.execPath, [script, ralphProgram, between], {
    cwd,
    env: ralphEnvironment(cwd),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void client.kill("SIGKILL"));
  const told: { server: number; between?: number }[] = [];
  createInterface({ input: client.stdout }).on("line", (line) => told.push(JSON.parse(line)));
  const { server, between: other } = await eventually(() => told[0]);
  if (other !== undefined)
    onTestFinished(() => {
      if (isThere(other)) process.kill(other, "SIGKILL");
    });
  return { client, server, between: other, answered: () => eventually(() => told[1]) };
}

/** A process that has ended but that nobody has waited for is none. */
export function isThere(pid: number): boolean {
  const entry = findProcess(pid);
  return entry !== undefined && isRunning(entry);
}

export const hasEnded = (pid: number) =>
  eventually(
    () => !isThere(pid),
    () => `${pid} still runs`,
  );
