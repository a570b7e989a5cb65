import { unusable } from "./fields.js";
import type { RecordSource, SourceFolder } from "./source-folder.js";
import type { TargetFolder } from "./target-folder.js";

/**
 * Files that belong together, by path: the value of a JSON file, the list of values of a JSON Lines file, the text of any other. The path
 * of an empty folder ends with a slash.
 */
export type FileMap = Record<string, unknown>;

/** A larger text is output rather than a record. */
const mostBytesOfText = 4 * 1024 * 1024;

/** All files below a folder, except texts that are too large to store. */
export function readFileMap(
  source: SourceFolder,
  folder: string,
  onSkipped: (part: string) => void = () => undefined,
): FileMap {
  const files: FileMap = {};
  for (const path of source.walk(folder, { hasEmptyFolders: true })) {
    const name = path.slice(folder === "" ? 0 : folder.length + 1);
    if (path.endsWith("/")) files[name] = null;
    else if (/\.jsonl?$/.test(path) || source.size(path) <= mostBytesOfText)
      files[name] = readOne(source, path);
    else onSkipped(`${path}: larger than 4 MB`);
  }
  return files;
}

function readOne(source: SourceFolder, path: string): unknown {
  if (path.endsWith(".json")) return source.findJson(path);
  if (path.endsWith(".jsonl")) return [...source.jsonLines(path)].map(({ value }) => value);
  return source.findText(path);
}

export function writeFileMap(target: TargetFolder, folder: string, files: FileMap): void {
  for (const [name, value] of Object.entries(files)) {
    const path = `${folder}/${name}`;
    if (path.endsWith("/")) target.folder(path);
    else if (typeof value === "string" && !path.endsWith(".json")) target.text(path, value);
    else if (path.endsWith(".jsonl") && Array.isArray(value)) target.lines(path, value);
    else target.json(path, value);
  }
}

/** A source that has these files in one of its folders. */
export function sourceOfMap(map: FileMap, folderOfMap: string): RecordSource {
  const files = Object.fromEntries(
    Object.entries(map).map(([path, value]) => [`${folderOfMap}/${path}`, value]),
  );
  const place = (path: string, line?: number) => (line === undefined ? path : `${path}, line ${line}`);
  const paths = Object.keys(files);
  const below = (folder: string) => {
    const start = folder === "" ? "" : `${folder}/`;
    return paths.flatMap((path) => (path.startsWith(start) ? [path.slice(start.length)] : []));
  };
  const list = (folder: string) =>
    [...new Set(below(folder).map((path) => path.split("/")[0] ?? ""))].filter((name) => name !== "").sort();
  return {
    place,
    has: (path) => Object.hasOwn(files, path) || below(path).length > 0,
    findText(path) {
      const value = files[path];
      return typeof value === "string" ? value : undefined;
    },
    findJson: (path) => files[path],
    *jsonLines(path) {
      const values = files[path] ?? [];
      if (!Array.isArray(values)) throw unusable(place(path), "is not a list");
      for (const [index, value] of values.entries())
        yield { value, line: index + 1, place: place(path, index + 1) };
    },
    list,
    folders: (folder) => list(folder).filter((name) => below(`${folder}/${name}`).length > 0),
  };
}
