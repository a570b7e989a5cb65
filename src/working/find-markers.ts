import { RalphError } from "../domain/ralph-error.js";

export interface MarkerLine {
  kind: "begin" | "end";
  /** From 1. */
  line: number;
  start: number;
  /** The start of the next line. */
  next: number;
}

const lineFeed = 10;
// Bytes are decoded as Latin-1, where each is one character and the UTF-8 byte order mark is three.
const markerLike = /^(?:\u00ef\u00bb\u00bf)? {0,3}<!--[ \t]*ralph:(begin|end)[ \t]*-->[ \t]*(.*?)[ \t]*\r?$/;

/** The lines with markers, except those in code blocks. */
export function findMarkers(bytes: Buffer, path: string): MarkerLine[] {
  const markers: MarkerLine[] = [];
  if (!bytes.includes("ralph:")) return markers;
  const codeBlocks = new CodeBlocks();
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const feed = bytes.indexOf(lineFeed, start);
    const next = feed === -1 ? bytes.length : feed + 1;
    const text = bytes.toString("latin1", start, feed === -1 ? next : feed);
    codeBlocks.read(text, line);
    const [, kind, rest] = markerLike.exec(text) ?? [];
    if (rest !== undefined && rest !== "" && !codeBlocks.isOpen) {
      throw new RalphError("file-unusable", `${path}, line ${line}: a marker must be alone on its line`, {
        hint: "move the other text to a line of its own",
      });
    }
    if (kind === "begin" || kind === "end") markers.push({ kind, line, start, next });
    start = next;
  }
  return markers.filter(({ line }) => !codeBlocks.contains(line));
}

/** Code blocks, where markers do not count. An unclosed fence is ignored. */
class CodeBlocks {
  #open: { mark: string; line: number } | undefined;
  readonly #blocks: { from: number; to: number }[] = [];

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  read(text: string, line: number): void {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(text.replace(/\r$/, ""));
    if (mark === null) return;
    const [, run = "", rest = ""] = mark;
    if (this.#open === undefined) this.#open = { mark: run, line };
    else if (run.startsWith(this.#open.mark) && rest.trim() === "") {
      this.#blocks.push({ from: this.#open.line, to: line });
      this.#open = undefined;
    }
  }

  contains(line: number): boolean {
    return this.#blocks.some(({ from, to }) => from < line && line < to);
  }
}
