import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
} from "node:fs";
import { RalphError } from "../domain/ralph-error.js";
import { isObject } from "../domain/shape.js";
import { withFileErrors } from "../files/file-problem.js";
import { unusable } from "./fields.js";

const maxBytes = 256 * 1024 * 1024;
const chunkBytes = 256 * 1024;
const lineEnd = 10;

/** The text of a file in a foreign tree; links are not followed, since they could point anywhere. */
export function findText(path: string): string | undefined {
  const stats = withFileErrors(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw unusable(path, "is not a regular file");
  if (stats.size > maxBytes) throw unusable(path, "is larger than 256 MB");
  const bytes = withFileErrors(path, () => readFileSync(path));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // Reading by lines throws at the invalid line.
    for (const _line of linesOf(path));
    throw unusable(path, "is not valid UTF-8");
  }
}

export interface Line {
  text: string;
  /** The file and line number, for messages. */
  place: string;
}

/** The lines of a file, one in memory at a time. */
export function* linesOf(path: string): Generator<Line> {
  const file = withFileErrors(path, () => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  try {
    if (!fstatSync(file).isFile()) throw unusable(path, "is not a regular file");
    const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    let rest = Buffer.alloc(0);
    let number = 0;
    const lineOf = (bytes: Buffer): Line => {
      number += 1;
      const place = `${path}, line ${number}`;
      try {
        return { text: utf8.decode(bytes), place };
      } catch {
        throw unusable(place, "is not valid UTF-8");
      }
    };
    for (;;) {
      const chunk = Buffer.allocUnsafe(Math.max(chunkBytes, rest.length));
      const size = withFileErrors(path, () => readSync(file, chunk));
      if (size === 0) break;
      const bytes = Buffer.concat([rest, chunk.subarray(0, size)]);
      let from = 0;
      for (let at = bytes.indexOf(lineEnd, rest.length); at !== -1; at = bytes.indexOf(lineEnd, from)) {
        yield lineOf(bytes.subarray(from, at));
        from = at + 1;
      }
      rest = bytes.subarray(from);
      if (rest.length > maxBytes) throw unusable(`${path}, line ${number + 1}`, "is longer than 256 MB");
    }
    if (rest.length > 0) yield lineOf(rest);
  } finally {
    closeSync(file);
  }
}

/** The names in a folder, sorted, without hidden ones; empty if there is no folder. */
export function listEntries(path: string): string[] {
  const stats = withFileErrors(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return [];
  if (!stats.isDirectory()) throw unusable(path, "is not a folder");
  return withFileErrors(path, () => readdirSync(path))
    .filter((name) => !name.startsWith("."))
    .sort();
}

/** If there are several lines, the error names the invalid one. */
export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const whole = text.trimEnd();
    const message = cause instanceof SyntaxError ? cause.message : "";
    // V8 omits the position for a short text.
    const position = /end of JSON/.test(message)
      ? whole.length
      : Number(/position (\d+)/.exec(message)?.[1] ?? 0);
    const line = whole.slice(0, position).split("\n").length;
    const what = position >= whole.length ? "is cut: its JSON ends too early" : "is not valid JSON";
    throw Object.assign(unusable(whole.includes("\n") ? `${place}, line ${line}` : place, what), { cause });
  }
}

/** The settings of another program, used only to find its data; empty if they cannot be read. */
export function findSettings(path: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(findText(path) ?? "null");
    return isObject(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RalphError) return {};
    throw error;
  }
}
