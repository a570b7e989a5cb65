import { type BigIntStats, statSync } from "node:fs";
import { isSystemError } from "../domain/ralph-error.js";
import { fileProblem } from "./file-problem.js";

/** Changes whenever the file changes, without reading it; `absent` if there is no file. */
export type FileStamp = string;

export const absentStamp: FileStamp = "absent";

export function stampOf(stats: BigIntStats): FileStamp {
  return `${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}:${stats.ino}`;
}

export function stampFile(path: string): FileStamp {
  try {
    return stampOf(statSync(path, { bigint: true }));
  } catch (error) {
    if (isSystemError(error, "ENOENT", "ENOTDIR")) return absentStamp;
    throw fileProblem(path, error);
  }
}
