import { spawn } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { eventually } from "../../support/eventually.js";

const keyMs = 15;
const quietMs = 1000;

/** A program that runs in a terminal, as a user has it. */
export interface TerminalSession {
  /** Types a line once the program has nothing more to say, and waits for what is expected of it. */
  enter(line: string, isDone: (output: string) => boolean): Promise<void>;
  /** Types the line with which the program ends, and waits for that. */
  leave(line: string): Promise<void>;
}

/** `script` of util-linux makes a terminal. */
export const hasTerminals = process.platform === "linux";

export function runInTerminal(
  program: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv },
): TerminalSession {
  const command = [program, ...args].map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["--quiet", "--flush", "--command", `exec ${command}`, "/dev/null"], {
    cwd,
    env: { ...env, TERM: "xterm-256color" },
  });
  onTestFinished(() => void child.kill());
  let output = "";
  let heardAt = Date.now();
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
    heardAt = Date.now();
  });
  const enter: TerminalSession["enter"] = async (line, isDone) => {
    await eventually(() => output !== "" && Date.now() - heardAt > quietMs);
    // All at once would be taken for a paste.
    for (const key of line) {
      child.stdin.write(key);
      await pause(keyMs);
    }
    await pause(quietMs);
    child.stdin.write("\r");
    await eventually(
      () => isDone(output),
      () => `${line}: ${output.slice(-2000)}`,
    );
  };
  return { enter, leave: (line) => enter(line, () => child.exitCode !== null) };
}
