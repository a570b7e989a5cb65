import { spawnSync } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { onTestFinished } from "vitest";
import { eventually } from "./eventually.js";
import { hasTerminals } from "./on-terminal.js";
import { ralphEnvironment } from "./run-ralph.js";
import { openTerminalSession } from "./terminal-session.js";

const commands = {
  bash: "bash --norc --noprofile -i",
  zsh: "zsh -f -i",
  fish: "fish --no-config -i",
} as const;

export type InteractiveShell = keyof typeof commands;

export function hasShell(shell: InteractiveShell): boolean {
  return hasTerminals && spawnSync(shell, ["--version"]).status === 0;
}

/** Starts a shell; returns what types on an empty line of it, and waits for what the shell is expected to show. */
export function startShell(shell: InteractiveShell, cwd: string, env: Record<string, string | undefined>) {
  const session = openTerminalSession(commands[shell], {
    cwd,
    env: { ...ralphEnvironment(cwd, env), SHELL: "/bin/sh", TERM: "xterm", PS1: "> " },
    columns: 100,
  });
  onTestFinished(async () => {
    session.type("\u0015exit\r");
    await session.ended;
  });
  return async (keys: string, expected: RegExp): Promise<string> => {
    const before = session.output().length;
    const shown = () => stripVTControlCharacters(session.output().slice(before)).replaceAll("\r", "");
    session.type(`\u0015${keys}`);
    await eventually(
      () => expected.test(shown()),
      () => `${shell} does not show ${expected}, but ${JSON.stringify(shown())}`,
    );
    return shown();
  };
}
