import { isDeepStrictEqual } from "node:util";
import { lineStart } from "../line-start.js";
import { appendSpan, cutSpan, lineEndOf } from "../owned/span-at-end.js";
import { problemAt } from "../problem-at.js";
import { findToml, isTable, parseToml, readToml } from "./parse-toml.js";

/** Puts a table with these lines into a text: in the place of one with that header, or else at the end. */
export function putTable(
  text: string | undefined,
  path: readonly string[],
  lines: readonly string[],
): string {
  const table = [`[${path.join(".")}]`, ...lines];
  if (text === undefined || findToml(parseToml(text), ...path) === undefined) return appendSpan(text, table);
  const { start, end } = spanOf(text, path);
  return text.slice(0, start) + table.join(lineEndOf(text)) + text.slice(end);
}

/**
 * Takes out a table with all that is below it; undefined if there was no file before it. Codex writes its settings anew, without
 * the comments between tables: so a table is found by its header.
 */
export function cutTable(text: string, path: readonly string[]): string | undefined {
  return cutSpan(text, spanOf(text, path));
}

/** From the header to the last line that holds something, tables below it included if they follow. */
function spanOf(text: string, path: readonly string[]): { start: number; end: number } {
  const headers = readToml(text).statements.filter(({ kind }) => kind !== "value");
  const first = headers.findIndex((each) => each.kind === "table" && isDeepStrictEqual(each.path, path));
  const next = headers.slice(first).find((each) => !isDeepStrictEqual(each.path.slice(0, path.length), path));
  const start = lineStart(text, headers[first]?.start ?? 0);
  const section = text.slice(start, next === undefined ? text.length : lineStart(text, next.start));
  const end = start + section.replace(/(?:\r?\n[ \t]*(?:#[^\n]*)?)+$/, "").length;
  if (first !== -1 && isWithout(text, text.slice(0, start) + text.slice(end), path)) return { start, end };
  throw problemAt(
    text,
    start,
    `${path.join(".")} is written in a way that cannot be edited`,
    "take it out by hand",
  );
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
