import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withFileErrors } from "../files/file-problem.js";
import { unusable } from "./record-fields.js";

const maxBytes = 256 * 1024 * 1024;

/** The text of a file in somebody else's tree; links are not followed, since they could point anywhere. */
export function findText(path: string): string | undefined {
  const stats = withFileErrors(path, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw unusable(path, "is not a regular file");
  if (stats.size > maxBytes) throw unusable(path, "is larger than 256 MB");
  return withFileErrors(path, () => readFileSync(path, "utf8"));
}

export function getJson(path: string): unknown {
  const text = findText(path);
  if (text === undefined) throw unusable(path, "is missing");
  return parseJson(text, path);
}

export function findJson(path: string): unknown {
  const text = findText(path);
  return text === undefined ? undefined : parseJson(text, path);
}

/** The values of a JSON Lines file, each with its place; empty if there is no file. */
export function listJsonLines(path: string): { value: unknown; place: string }[] {
  return (findText(path) ?? "").split("\n").flatMap((line, index) => {
    const place = `${path}, line ${index + 1}`;
    return line.trim() === "" ? [] : [{ value: parseJson(line, place), place }];
  });
}

/** The subfolders of a folder, sorted by name; empty if it does not exist. */
export function listFolders(path: string): string[] {
  return listEntries(path).filter((name) => lstatSync(join(path, name)).isDirectory());
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

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw Object.assign(unusable(place, "is not valid JSON"), { cause: error });
  }
}
