import { spawn } from "node:child_process";
import { ralphEnvironment, ralphProgram } from "./run-ralph.js";

export interface Screen {
  columns?: number;
  rows?: number;
  env?: Record<string, string>;
  /** What is typed. */
  input?: string;
}

/** `script` of util-linux makes a terminal for a command. */
export const hasTerminals = process.platform === "linux";

/** Runs the built command on a terminal of a size, and returns all that appears there. */
export function onTerminal(args: readonly string[], cwd: string, screen: Screen = {}): Promise<string> {
  const { columns = 80, rows = 24, env = {}, input = "" } = screen;
  const words = [process.execPath, ralphProgram, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const command = `stty cols ${columns} rows ${rows}; exec ${words.join(" ")}`;
  return new Promise((done, fail) => {
    const child = spawn("script", ["-qefc", command, "/dev/null"], {
      cwd,
      env: {
        ...ralphEnvironment(cwd),
        TERM: "xterm",
        PAGER: "cat",
        COLUMNS: undefined,
        NO_COLOR: undefined,
        FORCE_COLOR: undefined,
        SHELL: "/bin/sh",
        ...env,
      },
    });
    const shown: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => shown.push(chunk));
    child.on("error", fail);
    child.on("close", () => done(Buffer.concat(shown).toString("utf8").replaceAll("\r\n", "\n")));
    child.stdin.on("error", () => undefined);
    if (input === "") return;
    child.stdin.write(input);
  });
}
