import { notesLimits } from "../../../domain/knowledge/note.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { type FileSnapshot, readFileSnapshot } from "../../../files/read-file.js";

const hint = "move older notes to another file; nothing was changed";

/** A notes file that is going to be written, all of it: what is too large to be read is not written to. */
export function readWritable(path: string): FileSnapshot {
  return readFileSnapshot(path, { maxBytes: notesLimits.bytes, hint });
}

export function tooLargeToWrite(path: string): RalphError {
  const { notes, lines } = notesLimits;
  return new RalphError("file-unusable", `More than ${notes} notes, or ${lines} lines of them: ${path}`, {
    hint,
  });
}
