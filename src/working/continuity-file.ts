import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { isInside, resolveLinks } from "../files/path-inside.js";
import { readFileSnapshot, refuseUtf16 } from "../files/read-file.js";
import { limitAttempts, replaceIfUnchanged } from "../files/replace-file.js";

export const beginMarker = "<!-- ralph:begin -->";
export const endMarker = "<!-- ralph:end -->";

/** The bytes between the marker lines. */
interface Section {
  start: number;
  end: number;
  /** The line ending of the first marker. */
  lineEnd: LineEnd;
}

type LineEnd = "\n" | "\r\n";

const carriageReturn = 13;
/** The UTF-8 byte order mark, decoded as Latin-1. */
const utf8Mark = "\u00ef\u00bb\u00bf";
const title =
  "# Continuity\n\nWhat is being worked on. Ralph rewrites the text between the two markers; everything else is yours.\n";

/**
 * Writes the managed section; false if the file was up to date. Other programs may save the file at the same time: what they wrote outside
 * the markers is kept.
 */
export function writeContinuity(path: string, section: string, previous: string): boolean {
  for (let attempt = 1; ; attempt += 1) {
    const { bytes, stamp } = readFileSnapshot(path);
    const changed = replaceSection(bytes, section, path);
    if (bytes?.equals(changed)) return false;
    if (replaceIfUnchanged(path, [changed], stamp, { previous }) !== undefined) return true;
    limitAttempts(path, attempt);
  }
}

/**
 * Replaces the text between the markers and keeps every other byte. Markers are added at the end of a file without any; throws unless they
 * are a single pair.
 */
export function replaceSection(bytes: Buffer | undefined, section: string, path: string): Buffer {
  const current = bytes ?? Buffer.from(title);
  const found = findSection(current, path);
  if (found === undefined) return appendSection(current, section);
  const text = section.replaceAll("\n", found.lineEnd);
  return Buffer.concat([current.subarray(0, found.start), Buffer.from(text), current.subarray(found.end)]);
}

/** The text between the markers; undefined without markers. */
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
  refuseUtf16(bytes, path);
  const markers = findMarkers(bytes, path);
  const [begin, end, ...others] = markers;
  if (begin === undefined) return undefined;
  const invalid = (line: number, what: string) =>
    new RalphError("file-unusable", `${path}, line ${line}: ${what}`, {
      hint: `keep one ${beginMarker} and one ${endMarker} below it, each alone on its line, or remove both`,
    });
  if (begin.kind === "end") throw invalid(begin.line, "the end marker has no begin marker above it");
  if (end === undefined) throw invalid(begin.line, "the begin marker has no end marker below it");
  if (end.kind === "begin") {
    const isNested = others.filter(({ kind }) => kind === "end").length > 1;
    throw invalid(
      end.line,
      isNested ? "the begin marker is inside another section" : "a second begin marker",
    );
  }
  const [extra] = others;
  if (extra !== undefined) throw invalid(extra.line, `a second ${extra.kind} marker`);
  const lineEnd = bytes[begin.next - 2] === carriageReturn ? "\r\n" : "\n";
  return { start: begin.next, end: end.start, lineEnd };
}

interface MarkerLine {
  kind: "begin" | "end";
  /** Starts at 1. */
  line: number;
  start: number;
  /** The start of the next line. */
  next: number;
}

const lineFeed = 10;
// Bytes are decoded as Latin-1, with one character per byte; the UTF-8 byte order mark is three.
const markerLike = /^(?:\u00ef\u00bb\u00bf)? {0,3}<!--[ \t]*ralph:(begin|end)[ \t]*-->[ \t]*(.*?)[ \t]*\r?$/;

/** The lines with markers, except those in code blocks. */
function findMarkers(bytes: Buffer, path: string): MarkerLine[] {
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

/** Files of other tools, which must never be overwritten. */
const foreignFiles = ["scratchpad.md", "memories.md", "skill.md"];
const reservedFolders = [".git", ".ralph", "node_modules"];

/** The path of the continuity file; throws when it is outside the project or belongs to another tool. */
export function continuityPath(home: string, setting: string): string {
  const path = resolve(home, setting);
  const refuse = (what: string) =>
    new RalphError("invalid-settings", `continuity.path ${what}: ${setting}`, {
      hint: "such as .agent/CONTINUITY.md",
    });
  if (isAbsolute(setting) || path === home || !isInside(home, path)) throw refuse("is outside the project");
  withFileErrors(path, () => {
    const root = resolveLinks(home);
    const target = resolveLinks(path);
    if (target === root || !isInside(root, target)) throw refuse("is a link out of the project");
    const names = [path, target].map((each) => basename(each).toLowerCase());
    if (names.some((name) => foreignFiles.includes(name))) throw refuse("is a file of another tool");
    if (!names.every((name) => /\.(?:md|markdown)$/.test(name))) throw refuse("is not a Markdown file");
    const folders = relative(root, target).split(sep).slice(0, -1);
    const reserved = folders.find((name) => reservedFolders.includes(name));
    if (reserved !== undefined) throw refuse(`is inside ${reserved}`);
  });
  return path;
}
