import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { withFileErrors } from "../../files/file-problem.js";
import { unusable } from "../record-fields.js";

const bytesAtOnce = 256 * 1024;
const mostBytes = 256 * 1024 * 1024;
const lineEnd = 10;

export interface Line {
  text: string;
  /** Of the file, and which line of it. */
  place: string;
}

/** The lines of a file, of which never more than one is in memory as a whole. */
export function* linesOf(path: string): Generator<Line> {
  const file = withFileErrors(path, () => openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  try {
    if (!fstatSync(file).isFile()) throw unusable(path, "is not a regular file");
    const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const chunk = Buffer.allocUnsafe(bytesAtOnce);
    let begun: Buffer[] = [];
    let begunBytes = 0;
    let number = 0;
    const finish = (rest: Buffer): Line => {
      number += 1;
      const place = `${path}, line ${number}`;
      const bytes = Buffer.concat([...begun, rest]);
      begun = [];
      begunBytes = 0;
      try {
        return { text: utf8.decode(bytes), place };
      } catch {
        throw unusable(place, "is not valid UTF-8");
      }
    };
    for (;;) {
      const size = withFileErrors(path, () => readSync(file, chunk, 0, bytesAtOnce, null));
      if (size === 0) break;
      let from = 0;
      for (let at = chunk.indexOf(lineEnd); at !== -1 && at < size; at = chunk.indexOf(lineEnd, from)) {
        yield finish(chunk.subarray(from, at));
        from = at + 1;
      }
      begun.push(Buffer.from(chunk.subarray(from, size)));
      begunBytes += size - from;
      if (begunBytes > mostBytes) throw unusable(`${path}, line ${number + 1}`, "is longer than 256 MB");
    }
    if (begunBytes > 0) yield finish(Buffer.alloc(0));
  } finally {
    closeSync(file);
  }
}
