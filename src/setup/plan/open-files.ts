import { RalphError } from "../../domain/ralph-error.js";
import type { FileStamp } from "../../files/file-stamp.js";
import { readFileSnapshot } from "../../files/read-file.js";
import { maxGivenBytes } from "../../files/read-regular-file.js";

/** A file as it is and as it is to be; undefined stands for no file. */
export interface FileChange {
  path: string;
  before: string | undefined;
  after: string | undefined;
  stamp: FileStamp;
}

/** Files that are edited in memory, each read once. `check` throws for a path that must not be written. */
export function openFiles(check: (path: string) => void): {
  open(path: string): FileChange;
  changes(): FileChange[];
} {
  const files = new Map<string, FileChange>();
  return {
    open(path) {
      const known = files.get(path);
      if (known !== undefined) return known;
      check(path);
      const { text, stamp } = readText(path);
      const file = { path, before: text, after: text, stamp };
      files.set(path, file);
      return file;
    },
    changes: () => [...files.values()].filter(({ before, after }) => before !== after),
  };
}

/** The text of a file; one that is not UTF-8 is refused, as it could not be written back as it was. */
export function readText(path: string): { text: string | undefined; stamp: FileStamp } {
  const { bytes, stamp } = readFileSnapshot(path, { maxBytes: maxGivenBytes });
  const text = bytes?.toString("utf8");
  if (bytes === undefined || text === undefined || Buffer.from(text).equals(bytes)) return { text, stamp };
  throw new RalphError("file-unusable", `${path} is not UTF-8`, { hint: "correct it; nothing was changed" });
}
