import { fstatSync, writeSync } from "node:fs";
import { isSystemError, RalphError } from "../../../domain/ralph-error.js";
import { fileProblem } from "../../../files/file-problem.js";
import { pauseBriefly } from "./pause-briefly.js";

/** Where a command's words go: data to `out`, talk to `talk`. */
export interface Terminal {
  out(text: string | Uint8Array): void;
  talk(text: string): void;
  /** Columns of the screen that data goes to; unlimited when it goes into a file or a pipe. */
  width: number;
  isScreen: boolean;
  hasColor: boolean;
  /** Whether somebody watches the talk. */
  isTalkWatched: boolean;
}

/** The process's own terminal, written to directly: Node's streams take longer to set up than most commands run. */
export async function openTerminal(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Terminal> {
  const isScreen = await isTerminal(1);
  return {
    out: (text) => writeFully(1, text),
    talk: (text) => writeFully(2, text),
    width: isScreen ? await columnsOf(environment) : Number.POSITIVE_INFINITY,
    isScreen,
    hasColor: isScreen && !environment.NO_COLOR && environment.TERM !== "dumb",
    isTalkWatched: await isTerminal(2),
  };
}

async function isTerminal(descriptor: number): Promise<boolean> {
  try {
    if (!fstatSync(descriptor).isCharacterDevice()) return false;
  } catch {
    return false;
  }
  const { isatty } = await import("node:tty");
  return isatty(descriptor);
}

async function columnsOf(environment: Readonly<Record<string, string | undefined>>): Promise<number> {
  const stated = Number(environment.COLUMNS);
  if (Number.isInteger(stated) && stated > 0) return stated;
  const { WriteStream } = await import("node:tty");
  return process.stdout instanceof WriteStream ? process.stdout.columns : 80;
}

function writeFully(descriptor: number, text: string | Uint8Array): void {
  let rest: Uint8Array = typeof text === "string" ? Buffer.from(text) : text;
  while (rest.byteLength > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // The reader has gone, as with `| head`: nobody misses the rest.
      if (isSystemError(error, "EPIPE")) return;
      if (isSystemError(error, "ENOSPC", "EDQUOT"))
        throw new RalphError("disk-full", "No space left to write the output", {
          hint: "what the command was to do, it did",
          cause: error,
        });
      if (!isSystemError(error, "EAGAIN")) throw fileProblem("the output", error);
      pauseBriefly();
    }
  }
}
