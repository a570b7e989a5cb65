import { isDeepStrictEqual } from "node:util";
import { parse, TomlError, type TomlTable, type TomlValue } from "smol-toml";
import { appendLines, cutSpan, problemInLine } from "./text-edit.js";

export function parseToml(text: string): TomlTable {
  try {
    return parse(text.replace(/^\ufeff/, " "), { integersAsBigInt: "asNeeded" });
  } catch (error) {
    if (error instanceof TomlError)
      throw problemInLine(error.line, error.message.split("\n")[0] ?? "is not TOML");
    throw error;
  }
}

export function isTable(value: TomlValue | undefined): value is TomlTable {
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
}

/** The value at a path of keys. */
export function findToml(table: TomlTable, ...path: string[]): TomlValue | undefined {
  let value: TomlValue | undefined = table;
  for (const key of path) value = isTable(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** The place of a table with its own header. */
export interface TableSpan {
  start: number;
  /** Where its own lines end. */
  ownEnd: number;
  /** Where the tables below it end. */
  end: number;
}

interface Header {
  path: string[];
  start: number;
}

/**
 * A table with everything below it. Headers are recognised by their look, even inside strings; so a span only counts if the text without it
 * keeps all other values.
 */
export function findTable(text: string, path: readonly string[]): TableSpan | undefined {
  const headers = headersOf(text);
  const contentEnd = (start: number, next: Header | undefined) => {
    const section = text.slice(start, next?.start ?? text.length);
    return start + section.replace(/(?:\r?\n[ \t]*(?:#[^\n]*)?)+$/, "").length;
  };
  return headers
    .flatMap(({ path: found, start }, index) => {
      if (!isDeepStrictEqual(found, path)) return [];
      const after = headers.slice(index + 1);
      const next = after.find((each) => !isDeepStrictEqual(each.path.slice(0, path.length), path));
      return { start, ownEnd: contentEnd(start, after[0]), end: contentEnd(start, next) };
    })
    .find(({ start, end }) => isWithout(text, text.slice(0, start) + text.slice(end), path));
}

function headersOf(text: string): Header[] {
  return [...text.matchAll(/^[ \t]*\[.*$/gm)].flatMap(({ 0: line, index }) => {
    const path = pathOfLine(line);
    return path === undefined ? [] : { path, start: index };
  });
}

/** The keys of a header, or those a line sets; undefined if it is neither. */
function pathOfLine(line: string): string[] | undefined {
  try {
    const path: string[] = [];
    let value: TomlValue | undefined = parseToml(line);
    while (isTable(value) || Array.isArray(value)) {
      const [first]: [string, TomlValue | undefined][] = Object.entries(value);
      if (first === undefined) break;
      if (isTable(value)) path.push(first[0]);
      value = first[1];
    }
    return path.length > 0 ? path : undefined;
  } catch {
    return undefined;
  }
}

/** The first line about a path; 1 if there is none. */
export function lineAbout(text: string, path: readonly string[]): number {
  const lines = text.split(/\r?\n/).map((line) => pathOfLine(line) ?? []);
  const isAbout = (keys: readonly string[]) => (line: string[]) =>
    keys.every((key, index) => line[index] === key);
  const exact = lines.findIndex(isAbout(path));
  return Math.max(0, exact >= 0 ? exact : lines.findIndex(isAbout(path.slice(0, 1)))) + 1;
}

/** The text with one more table at its end. */
export function addTable(
  text: string | undefined,
  path: readonly string[],
  lines: readonly string[],
): string {
  return appendLines(text, [`[${path.join(".")}]`, ...lines]);
}

/** Removes a table with everything below it; undefined if there was no file before it. */
export function cutTable(text: string, path: readonly string[]): string | undefined {
  const span = findTable(text, path);
  return span === undefined ? cannotEdit(text, path) : cutSpan(text, span);
}

/** The text with other values for keys in a table's own lines; everything else is kept. */
export function replaceValues(
  text: string,
  path: readonly string[],
  values: Readonly<Record<string, string>>,
): string {
  let result = text;
  for (const [key, value] of Object.entries(values)) {
    const span = findTable(result, path);
    const pattern = new RegExp(`^[ \\t]*["']?${key}["']?[ \\t]*=[ \\t]*`, "m");
    const own = result.slice(span?.start, span?.ownEnd);
    const found = pattern.exec(own);
    const length = found === null ? undefined : valueLength(own.slice(found.index + found[0].length));
    if (span === undefined || found === null || length === undefined) return cannotEdit(text, path);
    const at = span.start + found.index + found[0].length;
    result = result.slice(0, at) + value + result.slice(at + length);
  }
  const expected = parseToml(
    Object.entries(values)
      .map((entry) => entry.join(" = "))
      .join("\n"),
  );
  const wanted = { ...Object(findToml(parseToml(text), ...path)), ...expected };
  return isDeepStrictEqual({ ...Object(findToml(parseToml(result), ...path)) }, wanted)
    ? result
    : cannotEdit(text, path);
}

/** The length of the value at the start of a text: it ends at the end of a line. */
function valueLength(text: string): number | undefined {
  for (const { index } of text.matchAll(/[ \t]*$/gm))
    if (pathOfLine(`value = ${text.slice(0, index)}`) !== undefined) return index;
  return undefined;
}

function cannotEdit(text: string, path: readonly string[]): never {
  const message = `${path.join(".")} is written in a way that cannot be edited`;
  throw problemInLine(lineAbout(text, path), message, "take it out by hand");
}

/** Whether everything else is the same in both texts. */
function isWithout(text: string, rest: string, path: readonly string[]): boolean {
  try {
    const [old, now] = [parseToml(text), parseToml(rest)];
    if (findToml(old, ...path) === undefined) return false;
    for (const settings of [old, now]) {
      const parent = findToml(settings, ...path.slice(0, -1));
      if (isTable(parent)) delete parent[path.at(-1) ?? ""];
      // The header alone may have created the parent tables.
      if (isTable(parent) && Object.keys(parent).length === 0) delete settings[path[0] ?? ""];
    }
    return isDeepStrictEqual(old, now);
  } catch {
    return false;
  }
}
