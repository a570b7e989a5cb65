import { fstatSync, writeSync } from "node:fs";
import { isSystemError, RalphError } from "../../../domain/ralph-error.js";
import { fileProblem } from "../../../files/file-problem.js";
import { pauseBriefly } from "./pause-briefly.js";

/** Output of a command: data goes to stdout, messages to stderr. */
export interface Terminal {
  out(text: string | Uint8Array): void;
  talk(text: string): void;
  /** Columns of stdout; unlimited for files and pipes. */
  width: number;
  isScreen: boolean;
  hasColor: boolean;
  /** Whether stderr is a terminal. */
  isTalkWatched: boolean;
}

/** Writes directly to the file descriptors: setting up Node's streams takes longer than most commands run. */
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
  const columns = Number(environment.COLUMNS);
  if (Number.isInteger(columns) && columns > 0) return columns;
  const { WriteStream } = await import("node:tty");
  return process.stdout instanceof WriteStream ? process.stdout.columns : 80;
}

function writeFully(descriptor: number, text: string | Uint8Array): void {
  let rest: Uint8Array = typeof text === "string" ? Buffer.from(text) : text;
  while (rest.byteLength > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      // The reader is gone, as with `| head`.
      if (isSystemError(error, "EPIPE")) return;
      if (isSystemError(error, "ENOSPC", "EDQUOT"))
        throw new RalphError("disk-full", "No space left to write the output", {
          hint: "the command succeeded",
          cause: error,
        });
      if (!isSystemError(error, "EAGAIN")) throw fileProblem("the output", error);
      pauseBriefly();
    }
  }
}
