import { RalphError } from "../domain/ralph-error.js";
import { refuseUtf16 } from "../files/shared/refuse-utf16.js";
import { findMarkers } from "./find-markers.js";

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
 * Replaces the text between the markers and keeps every other byte. A file without markers gets them at its end; throws
 * unless the markers are a single pair.
 */
export function replaceSection(bytes: Buffer | undefined, section: string, path: string): Buffer {
  const current = bytes ?? Buffer.from(title);
  const found = findSection(current, path);
  if (found === undefined) return appendSection(current, section);
  const text = section.replaceAll("\n", found.lineEnd);
  return Buffer.concat([current.subarray(0, found.start), Buffer.from(text), current.subarray(found.end)]);
}

/** The text between the markers; undefined when there are none. */
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
