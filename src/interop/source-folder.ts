import { lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { findStats } from "../files/find-stats.js";
import { isInside } from "../files/path-inside.js";
import type { ForeignFile, ForeignRecord } from "../memory/imports/foreign-record.js";
import { RecordFields, unusable } from "./fields.js";
import { findText, linesOf, listEntries, parseJson } from "./read-file.js";

/**
 * The folder that an import reads. Paths are relative to it, with slashes. Links to other files in it are followed; others could lead
 * anywhere, or in circles.
 */
export interface SourceFolder extends RecordSource {
  readonly directory: string;
  /** In bytes; 0 if the file does not exist. */
  size(path: string): number;
  /** The file's modification time, if known. */
  findModified(path: string): string | undefined;
  /** The paths of all files below a folder, sorted; optionally also of empty folders, which end with a slash. */
  walk(path: string, options?: { hasEmptyFolders?: boolean }): Generator<string>;
}

/** Files that contain records, on disk or as imported. */
export interface RecordSource {
  /** For messages. */
  place(path: string, line?: number): string;
  has(path: string): boolean;
  findText(path: string): string | undefined;
  findJson(path: string): unknown;
  /** The values of a JSON Lines file, one at a time; empty if the file does not exist. */
  jsonLines(path: string): Generator<{ value: unknown; line: number; place: string }>;
  /** The names in a folder, sorted, without hidden ones; empty if the folder does not exist. */
  list(path: string): string[];
  /** The names of its folders. */
  folders(path: string): string[];
}

export function openSource(directory: string): SourceFolder {
  const full = (path: string): string => {
    const whole = join(directory, path);
    if (!isInside(directory, whole)) throw unusable(whole, `is outside of ${directory}`);
    return followLink(directory, path) ?? whole;
  };
  const stats = (path: string) => {
    const whole = full(path);
    return withFileErrors(whole, () => lstatSync(whole, { throwIfNoEntry: false }));
  };
  const place = (path: string, line?: number) =>
    line === undefined ? join(directory, path) : `${join(directory, path)}, line ${line}`;
  const list = (path: string) => listEntries(full(path));
  function* walk(path: string, options: { hasEmptyFolders?: boolean } = {}): Generator<string> {
    const names = list(path);
    if (names.length === 0 && options.hasEmptyFolders) yield `${path}/`;
    for (const name of names) {
      const inner = pathIn(path, name);
      if (stats(inner)?.isDirectory()) yield* walk(inner, options);
      else yield inner;
    }
  }
  return {
    directory,
    place,
    has: (path) => stats(path) !== undefined,
    size: (path) => stats(path)?.size ?? 0,
    findModified: (path) => stats(path)?.mtime.toISOString(),
    findText: (path) => findText(full(path)),
    findJson(path) {
      const text = findText(full(path));
      return text === undefined ? undefined : parseJson(text, place(path));
    },
    *jsonLines(path) {
      if (stats(path) === undefined) return;
      let line = 0;
      for (const { text, place: at } of linesOf(full(path))) {
        line += 1;
        if (text.trim() !== "") yield { value: parseJson(text, at), line, place: at };
      }
    },
    list,
    folders: (path) => list(path).filter((name) => stats(pathIn(path, name))?.isDirectory()),
    walk,
  };
}

/** The target of a link, if it is in the folder too. Folders on the way must not be links; the folder itself may be: the user named it. */
function followLink(directory: string, path: string): string | undefined {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  for (let count = 1; count <= names.length; count += 1) {
    const part = [directory, ...names.slice(0, count)].join(sep);
    const stats = withFileErrors(part, () => lstatSync(part, { throwIfNoEntry: false }));
    if (!stats?.isSymbolicLink()) continue;
    const target = count === names.length ? fileInside(directory, part) : undefined;
    if (target === undefined) throw unusable(part, "is a link, which is not followed");
    return target;
  }
  return undefined;
}

function fileInside(directory: string, link: string): string | undefined {
  if (!statSync(link, { throwIfNoEntry: false })?.isFile()) return undefined;
  const target = realpathSync(link);
  return isInside(realpathSync(directory), target) ? target : undefined;
}

/** A named file, or the first with one of these names in a folder. */
export function openSourceFile(
  path: string,
  names: readonly string[],
): { source: SourceFolder; file: string } {
  const stats = findStats(path);
  if (stats?.isFile()) return { source: openSource(dirname(path)), file: basename(path) };
  if (stats !== undefined && !stats.isDirectory()) throw unusable(path, "is not a regular file");
  const source = openSource(path);
  const file = stats === undefined ? undefined : names.find((name) => source.has(name));
  if (file !== undefined) return { source, file };
  throw new RalphError("not-found", stats ? `No ${names.join(" or ")} in ${path}` : `There is no ${path}`, {
    hint: `name the file, such as ${names[0]}`,
  });
}

/** The path of a file in a folder; "" stands for the source itself. */
export function pathIn(folder: string, path: string): string {
  return folder === "" ? path : `${folder}/${path}`;
}

const linesAtOnce = 500;

/** The records that `read` makes from each line of a JSON Lines file, some lines at a time. */
export function* recordsByLine(
  source: SourceFolder,
  file: string,
  read: (fields: RecordFields, original: unknown, line: number) => ForeignRecord[],
): Generator<ForeignFile> {
  let records: ForeignRecord[] = [];
  let lines = 0;
  for (const { value, line, place } of source.jsonLines(file)) {
    records.push(...read(new RecordFields(value, place), value, line));
    lines += 1;
    if (lines % linesAtOnce !== 0) continue;
    yield { file, records };
    records = [];
  }
  yield { file, records };
}
