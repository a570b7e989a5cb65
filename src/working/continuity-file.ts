import { RalphError } from "../domain/ralph-error.js";

export const beginMarker = "<!-- ralph:begin -->";
export const endMarker = "<!-- ralph:end -->";

/** The bytes between the two lines with markers. */
interface Section {
  start: number;
  end: number;
  /** As the line with the first marker ends. */
  lineEnd: LineEnd;
}

type LineEnd = "\n" | "\r\n";

interface MarkerLine {
  kind: "begin" | "end";
  /** Counted from 1. */
  line: number;
  start: number;
  /** Behind its line end. */
  next: number;
}

const title =
  "# Continuity\n\nWhat is being worked on. Ralph rewrites what stands between the two markers; everything else is yours.\n";

/**
 * A continuity file with another section: what stands between the markers is replaced, and every other byte stays. A
 * file without markers gets them at its end; one whose markers are not a single pair is refused.
 */
export function replaceSection(bytes: Buffer | undefined, section: string, path: string): Buffer {
  const known = bytes ?? Buffer.from(title);
  const found = findSection(known, path);
  if (found === undefined) return appendSection(known, section);
  const text = section.replaceAll("\n", found.lineEnd);
  return Buffer.concat([known.subarray(0, found.start), Buffer.from(text), known.subarray(found.end)]);
}

/** What stands between the markers; nothing when there are none. */
export function readSection(bytes: Buffer, path: string): string | undefined {
  const found = findSection(bytes, path);
  return found && bytes.subarray(found.start, found.end).toString("utf8");
}

function appendSection(bytes: Buffer, section: string): Buffer {
  const text = bytes.toString("latin1");
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
  const isEmpty = text === "" || text === utf8Mark;
  const gap = isEmpty ? "" : text.endsWith("\n") ? "\n" : "\n\n";
  const added = `${gap}${beginMarker}\n${section}${endMarker}\n`.replaceAll("\n", lineEnd);
  return Buffer.concat([bytes, Buffer.from(added)]);
}

function findSection(bytes: Buffer, path: string): Section | undefined {
  refuseWideText(bytes, path);
  const markers = findMarkers(bytes, path);
  const [begin, end, ...others] = markers;
  if (begin === undefined) return undefined;
  const wrong = (line: number, what: string) =>
    new RalphError("file-unusable", `${path}, line ${line}: ${what}`, {
      hint: `leave one ${beginMarker} and one ${endMarker} below it, each alone on its line, or take out both`,
    });
  if (begin.kind === "end") throw wrong(begin.line, "the end marker has no begin marker above it");
  if (end === undefined) throw wrong(begin.line, "the begin marker has no end marker below it");
  if (end.kind === "begin") {
    const isNested = others.filter(({ kind }) => kind === "end").length > 1;
    throw wrong(
      end.line,
      isNested ? "the begin marker stands inside another section" : "a second begin marker",
    );
  }
  const [extra] = others;
  if (extra !== undefined) throw wrong(extra.line, `a second ${extra.kind} marker`);
  const lineEnd = bytes[begin.next - 2] === carriageReturn ? "\r\n" : "\n";
  return { start: begin.next, end: end.start, lineEnd };
}

const carriageReturn = 13;
const lineFeed = 10;
// Bytes are looked at as Latin-1, where each is one letter; a UTF-8 byte order mark then has three.
const utf8Mark = "\u00ef\u00bb\u00bf";
const markerLike = /^(?:\u00ef\u00bb\u00bf)? {0,3}<!--[ \t]*ralph:(begin|end)[ \t]*-->[ \t]*(.*?)[ \t]*\r?$/;

function findMarkers(bytes: Buffer, path: string): MarkerLine[] {
  const markers: MarkerLine[] = [];
  if (!bytes.includes("ralph:")) return markers;
  const fences = new Fences();
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const feed = bytes.indexOf(lineFeed, start);
    const next = feed === -1 ? bytes.length : feed + 1;
    const text = bytes.toString("latin1", start, feed === -1 ? next : feed);
    fences.read(text, line);
    const [, kind, rest] = markerLike.exec(text) ?? [];
    if (rest !== undefined && rest !== "" && !fences.isOpen) {
      throw new RalphError(
        "file-unusable",
        `${path}, line ${line}: a marker shares its line with other text`,
        {
          hint: "put the text on a line of its own",
        },
      );
    }
    if (kind === "begin" || kind === "end") markers.push({ kind, line, start, next });
    start = next;
  }
  return markers.filter(({ line }) => !fences.holds(line));
}

/** Examples of code, in which a marker is only shown. A fence that is never closed holds nothing: it was a slip. */
class Fences {
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

  holds(line: number): boolean {
    return this.#blocks.some(({ from, to }) => from < line && line < to);
  }
}

/** Our section would not be readable in a file whose letters take two bytes each. */
function refuseWideText(bytes: Buffer, path: string): void {
  const mark = bytes.toString("latin1", 0, 2);
  if (mark !== "\u00ff\u00fe" && mark !== "\u00fe\u00ff") return;
  throw new RalphError("file-unusable", `${path} is UTF-16 text`, { hint: "save it as UTF-8" });
}
