import { fstatSync, type Stats, statSync, writeSync } from "node:fs";
import { isSystemError, RalphError } from "../../../domain/ralph-error.js";
import { fileProblem } from "../../../files/file-problem.js";
import { defuseChatMarkup } from "../../../text/fence/chat-markup.js";
import { pauseBriefly } from "../../input/read-lines.js";
import { printableOutput, styleLeads } from "./style.js";

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
}

/** Takes what would be written to a file descriptor. */
type Sink = (descriptor: number, text: string | Uint8Array) => void;

export interface OpenTerminal extends Terminal {
  /** Hands what is written from now on to a pager; without a sink it is written again. */
  divert(sink: Sink | undefined): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Writes directly to the file descriptors: setting up Node's streams takes longer than most commands run. */
export async function openTerminal(
  environment: Environment,
  argv: readonly string[] = [],
): Promise<OpenTerminal> {
  const isScreen = await isTerminal(1);
  const isTalkWatched = await isTerminal(2);
  const isWatched = isScreen || isTalkWatched;
  const columns = isWatched ? await columnsOf(environment) : Number.POSITIVE_INFINITY;
  const { wrapLines } = isWatched ? await import("./wrap.js") : { wrapLines: undefined };
  const hasTalkColor = isColored(isTalkWatched, environment, argv);
  const { write, divert } = openWriter();
  const hasColor = isColored(isScreen, environment, argv);
  const shown = (text: string | Uint8Array, isWrapped: boolean, isStyled: boolean) => {
    if (typeof text !== "string") return text;
    const styled = isStyled ? styleLeads(text) : text;
    return isWrapped && wrapLines ? wrapLines(styled, columns) : styled;
  };
  return {
    out: (text) => write(1, shown(text, isScreen, hasColor)),
    talk: (text) => write(2, shown(text, isTalkWatched, hasTalkColor)),
    divert,
    width: isScreen ? columns : Number.POSITIVE_INFINITY,
    isScreen,
    hasColor,
    isTalkWatched,
  };
}

/** What was asked for on the command line counts first, then the environment; commands have not been parsed yet. */
function isColored(isWatched: boolean, environment: Environment, argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  const asked = words.findLast(
    (word) => word === "--no-color" || word === "--color" || word.startsWith("--color="),
  );
  if (asked === "--no-color" || asked === "--color=never") return false;
  if (asked === "--color" || asked === "--color=always") return true;
  if (environment.NO_COLOR) return false;
  const { FORCE_COLOR: forced = "" } = environment;
  if (forced !== "") return forced !== "0" && forced !== "false";
  return isWatched && environment.TERM !== "dumb";
}

function openWriter() {
  let sink: Sink = writeFully;
  return {
    write(descriptor: number, text: string | Uint8Array) {
      sink(descriptor, typeof text === "string" ? printableOutput(defuseChatMarkup(text)) : text);
    },
    divert(to: Sink | undefined) {
      sink = to ?? writeFully;
    },
  };
}

async function isTerminal(descriptor: number): Promise<boolean> {
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isCharacterDevice() || isNullDevice(stat)) return false;
  } catch {
    return false;
  }
  const { isatty } = await import("node:tty");
  return isatty(descriptor);
}

/** `isatty` loads all of Node's streams, and many hooks write to /dev/null. */
function isNullDevice({ rdev }: Stats): boolean {
  return statSync("/dev/null", { throwIfNoEntry: false })?.rdev === rdev;
}

async function columnsOf(environment: Environment): Promise<number> {
  const columns = Number(environment.COLUMNS);
  if (Number.isInteger(columns) && columns > 0) return columns;
  const { WriteStream } = await import("node:tty");
  const screen = [process.stdout, process.stderr].find((stream) => stream instanceof WriteStream);
  return screen?.columns || 80;
}

function writeFully(descriptor: number, text: string | Uint8Array): void {
  const bytes: Uint8Array = typeof text === "string" ? Buffer.from(text) : text;
  for (let written = 0; written < bytes.byteLength; ) {
    try {
      written += writeSync(descriptor, bytes, written);
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
