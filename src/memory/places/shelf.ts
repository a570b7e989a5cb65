import type { Clock } from "../../domain/clock.js";
import type { StoredNote } from "../../domain/knowledge/note.js";
import type { RandomHex } from "../../domain/knowledge/record-ids.js";
import type { NoteRow, NoteScope } from "../../store/repositories/notes/note-rows.js";
import type { Store } from "../../store/store.js";
import type { Notice } from "../notice.js";
import type { NotesFile, Place } from "./place.js";

/** An open store together with the notes files it indexes. */
export interface Shelf {
  place: Place;
  store: Store;
  /** Nothing of it is on this machine yet: what a team shares is read, and no files are created. */
  isElsewhere?: boolean;
  /** When, by the clock of this process, no more notes are indexed: what is there has to do. */
  indexUntilMs?: number | undefined;
  clock: Clock;
  random: RandomHex;
  notify(notice: Notice): void;
}

export function filesOf({ home, copy }: Place): NotesFile[] {
  return copy === undefined ? [home] : [home, copy];
}

/** The file that contains a note. */
export function fileOf(row: { fileId: number }, scope: NoteScope, { home, copy }: Place): NotesFile {
  return row.fileId === scope.copy && copy !== undefined ? copy : home;
}

export function toStoredNote(row: NoteRow, scope: NoteScope, place: Place): StoredNote {
  const { id, type, content, tags, created } = row;
  return { id, type, content, tags, created, origin: fileOf(row, scope, place).origin };
}
