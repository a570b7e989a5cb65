import type { ForeignFile, ForeignRecord } from "../../memory/imports/foreign-record.js";
import { type FileMap, readFileMap } from "../file-map.js";
import type { ReadOptions } from "../layout.js";
import type { SourceFolder } from "../source-folder.js";
import { findState, taskOfLoop } from "./task-of-loop.js";

export const loopsFolder = "ralph-external";

/** The loops, each in a folder with its state; what belongs to none is kept as it is. */
export function* readLoops(source: SourceFolder, { onSkipped }: ReadOptions): Generator<ForeignFile> {
  if (!source.has(loopsFolder)) return;
  const { loops, others } = splitLoops(readFileMap(source, loopsFolder, onSkipped));
  for (const [folder, files] of loops) {
    const path = folder === "" ? loopsFolder : `${loopsFolder}/${folder}`;
    const modified = source.findModified(`${path}/${findState(files)}`);
    const record = taskOfLoop(files, { place: source.place(path), name: folder || loopsFolder, modified });
    yield { file: path, records: [{ kind: "task", id: record.id, record, original: files }] };
  }
  const kept = Object.entries(others).map(
    ([path, original]): ForeignRecord => ({ kind: "kept", id: `${loopsFolder}/${path}`, original }),
  );
  if (kept.length > 0) yield { file: loopsFolder, records: kept };
}

/** A file belongs to the innermost folder around it that has a state. */
function splitLoops(files: FileMap): { loops: Map<string, FileMap>; others: FileMap } {
  const folders = Object.keys(files)
    .flatMap((path) => (isState(path) ? [path.slice(0, Math.max(0, path.lastIndexOf("/")))] : []))
    .sort((one, other) => other.length - one.length);
  const loops = new Map<string, FileMap>([...new Set(folders)].map((folder) => [folder, {}]));
  const others: FileMap = {};
  for (const [path, value] of Object.entries(files)) {
    const folder = folders.find((each) => each === "" || path.startsWith(`${each}/`));
    if (folder === undefined) others[path] = value;
    else
      Object.assign(loops.get(folder) ?? {}, {
        [folder === "" ? path : path.slice(folder.length + 1)]: value,
      });
  }
  return { loops, others };
}

function isState(path: string): boolean {
  return /(?:^|\/)(?:session-)?state\.json$/.test(path);
}
