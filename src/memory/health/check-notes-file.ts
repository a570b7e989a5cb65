import { isoDate } from "../../domain/clock.js";
import { notesLimits } from "../../domain/knowledge/note.js";
import { readFileSnapshot, refuseUtf16 } from "../../files/read-file.js";
import { type NotesDocument, parseNotes } from "../../notes/parse.js";
import { counted } from "../../text/counted.js";
import { maxIndexedLength } from "../notes/index-notes.js";
import type { OpenProject } from "../project/open-project.js";
import type { NotesFile } from "../project/place.js";
import { type Finding, ok } from "./finding.js";

export function checkNotesFile(session: OpenProject, file: NotesFile): Finding[] {
  const document = readNotesDocument(session, file);
  if (document === undefined) return [ok(`${file.path}: not created yet`)];
  return [
    ok(`${file.path}: ${counted(document.blocks.length, "note")}`),
    ...document.blocks
      .filter(({ note }) => note.content.length > maxIndexedLength)
      .map(({ note, line }): Finding => {
        const detail = `${file.path}, line ${line}: ${note.id} is longer than 1 MB: only its beginning can be found`;
        return { status: "warning", detail };
      }),
    ...document.conflicts.map(({ line, message }): Finding => {
      return { status: "failed", detail: `${file.path}, line ${line}: ${message}` };
    }),
    ...document.problems.map(({ line, message }): Finding => {
      return { status: "warning", detail: `${file.path}, line ${line}: ${message}` };
    }),
  ];
}

export function readNotesDocument({ clock }: OpenProject, file: NotesFile): NotesDocument | undefined {
  const start = { maxBytes: notesLimits.bytes, isCut: true };
  const { bytes, fileBytes } = readFileSnapshot(file.path, start);
  if (bytes !== undefined) refuseUtf16(bytes, file.path);
  return bytes && parseNotes(bytes, { today: isoDate(clock()), fileBytes });
}
