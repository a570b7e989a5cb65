import type { Clock } from "../domain/clock.js";
import type { StoredNote } from "../domain/note.js";
import type { RandomHex } from "../domain/note-id.js";
import type { NoteProblem } from "../notes/parse.js";
import type { NoteRow, NoteScope } from "../store/repositories/note-rows.js";
import type { Store } from "../store/store.js";
import type { NotesFile, Place } from "./place.js";

/** Something the user should hear of beside the result. */
export type Notice =
  | { kind: "malformed-notes"; path: string; problems: NoteProblem[] }
  | { kind: "index-rebuilt"; path: string }
  | { kind: "indexing"; done: number; total: number }
  | { kind: "backup-failed"; message: string };

/** An open store together with the notes files it indexes. */
export interface Shelf {
  place: Place;
  store: Store;
  clock: Clock;
  random: RandomHex;
  notify(notice: Notice): void;
}

/** The ids under which the store knows the files of a shelf. */
export interface FileIds extends NoteScope {}

export function filesOf({ home, copy }: Place): NotesFile[] {
  return copy === undefined ? [home] : [home, copy];
}

export function toStoredNote(row: NoteRow, fileIds: FileIds, { home, copy }: Place): StoredNote {
  const { id, type, content, tags, created } = row;
  const origin = row.fileId === fileIds.copy && copy !== undefined ? copy.origin : home.origin;
  return { id, type, content, tags, created, origin };
}
