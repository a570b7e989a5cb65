import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { ralphEnvironment, ralphLibrary } from "../../support/run-ralph.js";

export interface Orders {
  operations: { verb: string; note?: string | undefined; task?: string | undefined }[];
  /** The operation before which it stops and waits. */
  middleAt: number;
  clockShiftMs: number;
  repair: boolean;
}

export interface Said {
  kind: "T" | "A" | "E" | "X" | "N" | "H" | "?" | "gone";
  // biome-ignore lint/suspicious/noExplicitAny: whatever the worker reports
  content: any;
}

export interface FaultWorker {
  child: ChildProcess;
  /** What it said until it waits or is gone. */
  untilItWaits(): Promise<Said[]>;
  go(orders: Partial<Orders> & { end?: boolean }): void;
  stop(): Promise<void>;
}

/** A process that works on a project, with at most so many open files. */
export function startFaultWorker(root: string, name: string, openFiles?: number): FaultWorker {
  const script = resolve(import.meta.dirname, "fault-worker.mjs");
  const config = JSON.stringify({ library: ralphLibrary, root, name });
  const limit = openFiles === undefined ? "" : `ulimit -n ${openFiles}; `;
  const child = spawn("sh", ["-c", `${limit}exec "$0" "$1" "$2"`, process.execPath, script, config], {
    cwd: root,
    env: ralphEnvironment(root),
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin?.on("error", () => undefined);
  let complaints = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    complaints += chunk.toString("utf8");
  });
  const said: Said[] = [];
  let wake = () => {};
  const hear = (one: Said) => {
    said.push(one);
    wake();
  };
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    try {
      hear({ kind: line[0] as Said["kind"], content: JSON.parse(line.slice(2)) });
    } catch {
      // The last line of a process that was killed.
    }
  });
  const gone = new Promise<void>((done) =>
    child.on("close", (status, signal) => {
      hear({ kind: "gone", content: { status, signal, complaints } });
      done();
    }),
  );
  return {
    child,
    async untilItWaits() {
      while (!said.some(({ kind }) => kind === "?" || kind === "gone"))
        await new Promise<void>((done) => {
          wake = done;
        });
      return said.splice(0);
    },
    go: (orders) => void child.stdin?.write(`${JSON.stringify(orders)}\n`),
    async stop() {
      child.stdin?.end();
      await gone;
    },
  };
}
