import { fstatSync, writeSync } from "node:fs";
import { isSystemError, RalphError } from "../../../domain/ralph-error.js";
import { fileProblem } from "../../../files/file-problem.js";
import { mayBeChatMarkup } from "../../../text/fence/may-be-markup.js";
import { pauseBriefly } from "./pause-briefly.js";
import { printableOutput } from "./printable.js";

/**
 * Output of a command: data goes to stdout, messages to stderr. A string is for readers, people and agents alike: control
 * characters are replaced, chat markup is defused. Bytes, such as JSON, are written as they are.
 */
export interface Terminal {
  out(text: string | Uint8Array): void;
  talk(text: string | Uint8Array): void;
  /** Columns of stdout; unlimited for files and pipes. */
  width: number;
  isScreen: boolean;
  hasColor: boolean;
  /** Whether stderr is a terminal. */
  isTalkWatched: boolean;
  /** Resolves when everything is written. */
  settled(): Promise<void>;
}

/** Writes directly to the file descriptors: setting up Node's streams takes longer than most commands run. */
export async function openTerminal(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Terminal> {
  const isScreen = await isTerminal(1);
  const { write, settled } = openWriter();
  return {
    out: (text) => write(1, text),
    talk: (text) => write(2, text),
    settled,
    width: isScreen ? await columnsOf(environment) : Number.POSITIVE_INFINITY,
    isScreen,
    hasColor: isScreen && !environment.NO_COLOR && environment.TERM !== "dumb",
    isTalkWatched: await isTerminal(2),
  };
}

interface Output {
  descriptor: number;
  text: string | Uint8Array;
  mayBeMarkup: boolean;
}

/** Writes in order; what defuses chat markup is loaded for the first text that may contain any, and the rest waits for it. */
function openWriter() {
  const waiting: Output[] = [];
  let defuse: ((text: string) => string) | undefined;
  let loading: Promise<void> | undefined;
  const writeNow = ({ descriptor, text, mayBeMarkup }: Output) => {
    if (typeof text !== "string") writeFully(descriptor, text);
    else writeFully(descriptor, printableOutput(mayBeMarkup && defuse ? defuse(text) : text));
  };
  const load = async () => {
    defuse = (await import("../../../text/fence/fence.js")).defuseChatMarkup;
    for (const output of waiting.splice(0)) writeNow(output);
  };
  return {
    write(descriptor: number, text: string | Uint8Array) {
      const output = { descriptor, text, mayBeMarkup: typeof text === "string" && mayBeChatMarkup(text) };
      const isReady = defuse !== undefined || !output.mayBeMarkup;
      if (isReady && waiting.length === 0) return writeNow(output);
      waiting.push(output);
      loading ??= load();
      // Told by `settled`.
      loading.catch(() => {});
    },
    async settled() {
      await loading;
    },
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
