import { isDeepStrictEqual } from "node:util";
import { lineStart } from "../line-start.js";
import { appendSpan, cutSpan } from "../owned/span-at-end.js";
import { problemAt } from "../problem-at.js";
import { findToml, isTable, parseToml, readToml } from "./parse-toml.js";

interface Span {
  start: number;
  end: number;
}

/** The text with one more table at its end. */
export function addTable(
  text: string | undefined,
  path: readonly string[],
  lines: readonly string[],
): string {
  return appendSpan(text, [headerOf(path), ...lines]);
}

/** The text with another value of one key, which is set there; all else stays. */
export function replaceValue(text: string, path: readonly string[], value: string): string {
  const statement = readToml(text).statements.find((each) => isDeepStrictEqual(each.path, path));
  const { start, end } = statement?.value ?? cannotEdit(text, statement?.start ?? 0, path);
  return text.slice(0, start) + value + text.slice(end);
}

/**
 * Takes out a table with all that is below it; undefined if there was no file before it. Codex writes its settings anew, without
 * the comments between tables: so a table is found by its header.
 */
export function cutTable(text: string, path: readonly string[]): string | undefined {
  const span = spanFrom(text, path, (other) => isDeepStrictEqual(other.slice(0, path.length), path));
  const rest = span && text.slice(0, span.start) + text.slice(span.end);
  if (span === undefined || rest === undefined || !isWithout(text, rest, path))
    return cannotEdit(text, span?.start ?? 0, path);
  return cutSpan(text, span);
}

/** A table with a header of its own: from that to the last line that holds something, without the tables below it. */
export function findTable(text: string, path: readonly string[]): Span | undefined {
  return spanFrom(text, path, () => false);
}

function headerOf(path: readonly string[]): string {
  return `[${path.join(".")}]`;
}

function cannotEdit(text: string, offset: number, path: readonly string[]): never {
  throw problemAt(
    text,
    offset,
    `${path.join(".")} is written in a way that cannot be edited`,
    "take it out by hand",
  );
}

function spanFrom(
  text: string,
  path: readonly string[],
  isIncluded: (path: readonly string[]) => boolean,
): Span | undefined {
  const headers = readToml(text).statements.filter(({ kind }) => kind !== "value");
  const first = headers.findIndex((each) => each.kind === "table" && isDeepStrictEqual(each.path, path));
  const header = headers[first];
  if (header === undefined) return undefined;
  const next = headers.slice(first + 1).find((each) => !isIncluded(each.path));
  const start = lineStart(text, header.start);
  const section = text.slice(start, next === undefined ? text.length : lineStart(text, next.start));
  return { start, end: start + section.replace(/(?:\r?\n[ \t]*(?:#[^\n]*)?)+$/, "").length };
}

/** Whether all else is the same in both texts. */
function isWithout(text: string, rest: string, path: readonly string[]): boolean {
  try {
    const [old, now] = [parseToml(text), parseToml(rest)];
    for (const settings of [old, now]) {
      const parent = findToml(settings, ...path.slice(0, -1));
      const last = path.at(-1) ?? "";
      if (isTable(parent)) delete parent[last];
      // The tables above may have been made by the header alone.
      if (isTable(parent) && Object.keys(parent).length === 0) delete settings[path[0] ?? ""];
    }
    return isDeepStrictEqual(old, now);
  } catch {
    return false;
  }
}
