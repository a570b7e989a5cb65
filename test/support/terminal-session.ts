import { spawn } from "node:child_process";
import { eventually } from "./eventually.js";
import { openScreen } from "./screen.js";

export interface TerminalSession {
  /** Everything that was written to the terminal. */
  output(): string;
  /** What is on the screen now. */
  screen(): string[];
  until(isShown: (screen: string) => boolean): Promise<unknown>;
  type(keys: string): void;
  ended: Promise<number | null>;
}

interface SessionOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  columns: number;
  rows?: number;
}

/** Runs a shell command in a terminal of its own, made by `script`. */
export function openTerminalSession(
  command: string,
  { cwd, env, columns, rows = 24 }: SessionOptions,
): TerminalSession {
  const child = spawn("script", ["-qec", `stty cols ${columns} rows ${rows}; ${command}`, "/dev/null"], {
    cwd,
    env,
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  const screen = () => {
    const shown = openScreen(columns);
    shown.write(output);
    return shown.text();
  };
  return {
    output: () => output,
    screen,
    until: (isShown) =>
      eventually(
        () => isShown(screen().join("\n")),
        () => screen().join("\n"),
      ),
    type: (keys) => child.stdin.write(keys),
    ended: new Promise((resolve) => child.on("close", resolve)),
  };
}
