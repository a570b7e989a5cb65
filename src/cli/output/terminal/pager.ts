import { spawnSync } from "node:child_process";
import { displayWidth } from "./display-width.js";
import type { OpenTerminal } from "./terminal.js";

type Environment = Readonly<Record<string, string | undefined>>;

interface Held {
  descriptor: number;
  text: string | Uint8Array;
}

/**
 * Holds back what a command prints until it is done. Then a pager shows what is longer than the screen; messages come after it,
 * where they are seen. Everything else is printed as it would have been.
 */
export function holdForPager(terminal: OpenTerminal, environment: Environment): () => void {
  const held: Held[] = [];
  terminal.divert((descriptor, text) => {
    // Progress would be out of date.
    if (typeof text !== "string" || !text.startsWith("\r")) held.push({ descriptor, text });
  });
  return () => {
    terminal.divert(undefined);
    const output = Buffer.concat(
      held.filter(({ descriptor }) => descriptor === 1).map(({ text }) => Buffer.from(text)),
    );
    const isShown = isLongerThanScreen(output, terminal.width) && showInPager(output, environment);
    for (const { descriptor, text } of held) {
      if (descriptor === 1 && !isShown) terminal.out(Buffer.from(text));
      // Was made printable when it was held back.
      else if (descriptor !== 1) terminal.talk(text.toString());
    }
  };
}

/** The pager that the user chose, as with Git; undefined for none. */
function pagerOf({ RALPH_PAGER, PAGER }: Environment): string | undefined {
  const chosen = (RALPH_PAGER ?? PAGER ?? "less").trim();
  return chosen === "" || chosen === "cat" ? undefined : chosen;
}

function isLongerThanScreen(output: Buffer, columns: number): boolean {
  const rows = process.stdout.rows || 24;
  const lines = output.toString("utf8").split("\n");
  if (lines.length > rows) return true;
  const used = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line) / columns)), 0);
  return used > rows;
}

/** Whether the pager could be started. */
function showInPager(output: Buffer, environment: Environment): boolean {
  const pager = pagerOf(environment);
  if (pager === undefined) return false;
  // Ctrl-C is for the pager while it is open.
  const ignore = () => undefined;
  process.on("SIGINT", ignore);
  const { status, error } = spawnSync(pager, {
    shell: true,
    input: output,
    stdio: ["pipe", "inherit", "inherit"],
    env: { LESS: "FRX", LV: "-c", ...environment },
  });
  process.removeListener("SIGINT", ignore);
  // A pager that is left early does not read everything.
  const isLeft = error === undefined || (error as NodeJS.ErrnoException).code === "EPIPE";
  return isLeft && status !== 126 && status !== 127;
}
