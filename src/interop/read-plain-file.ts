import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { withFileErrors } from "../files/file-problem.js";
import { unusable } from "./record-fields.js";

const maxBytes = 256 * 1024 * 1024;

/** The text of a file in somebody else's tree; links are not followed, since they could point anywhere. */
export function findText(path: string): string | undefined {
  const stats = withFileErrors(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw unusable(path, "is not a regular file");
  if (stats.size > maxBytes) throw unusable(path, "is larger than 256 MB");
  return decode(
    withFileErrors(path, () => readFileSync(path)),
    path,
  );
}

function decode(bytes: Buffer, path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unusable(`${path}, line ${lineOfBadBytes(bytes)}`, "is not valid UTF-8");
  }
}

/** No line end is part of another character, so lines can be read one by one. */
function lineOfBadBytes(bytes: Buffer): number {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const found = bytes.indexOf(10, start);
    const end = found === -1 ? bytes.length : found;
    try {
      utf8.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
  return 1;
}

/** What is in a folder, sorted by name, but for hidden files; empty if it does not exist. */
export function listEntries(path: string): string[] {
  const stats = withFileErrors(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return [];
  if (!stats.isDirectory()) throw unusable(path, "is not a folder");
  return withFileErrors(path, () => readdirSync(path))
    .filter((name) => !name.startsWith("."))
    .sort();
}

/** Names the line of what is not JSON, if there are several. */
export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const whole = text.trimEnd();
    const position = positionOf(cause, whole);
    const isSingle = !whole.includes("\n");
    const at = isSingle ? place : `${place}, line ${whole.slice(0, position).split("\n").length}`;
    const what = position >= whole.length ? "is cut: its JSON ends too early" : "is not valid JSON";
    throw Object.assign(unusable(at, what), { cause });
  }
}

/** Where the text stopped being JSON; V8 does not tell it of a short one. */
function positionOf(error: unknown, text: string): number {
  const message = error instanceof SyntaxError ? error.message : "";
  return /end of JSON/.test(message) ? text.length : Number(/position (\d+)/.exec(message)?.[1] ?? 0);
}
