import type { NoteType, StoredNote } from "../../domain/knowledge/note.js";
import type { Prime, PrimeCounts, PrimeOptions, PrimeText } from "./prime/prime-notes.js";
import type { NoteListing, NoteSelection } from "./reading/list-notes.js";
import type { NoteSearch } from "./reading/search-notes.js";
import type { EditedNote, NoteEdit } from "./writing/edit-note.js";
import type { InitNotesResult } from "./writing/init-notes.js";
import type { AddedNote, NewNote } from "./writing/new-note.js";

/** `memory.notes`: what people and agents wrote down. Ids may be shortened if unique. */
export interface NoteVerbs {
  /** Adds a note, unless one of its type already has the same content. */
  add(note: NewNote): Promise<AddedNote>;
  /** Changes content, tags or type. */
  edit(id: string, edit: NoteEdit): Promise<EditedNote>;
  /** Deletes a note and returns it. */
  delete(id: string): Promise<StoredNote>;
  get(id: string): Promise<StoredNote>;
  /** Newest first. */
  list(listing?: NoteListing): Promise<StoredNote[]>;
  /** How many notes match, by type; a type without any is left out. */
  count(selection?: NoteSelection): Promise<Partial<Record<NoteType, number>>>;
  /** Best match first. */
  search(search: NoteSearch): Promise<StoredNote[]>;
  /** Notes for a prompt, the user's own included, within a budget. */
  prime(options?: PrimeOptions): Promise<Prime>;
  /** The same as Markdown; `text` is empty if no note fits the budget. */
  primeText(options?: PrimeOptions): Promise<PrimeText>;
  /** The same Markdown, written in chunks. */
  primeInto(write: (piece: string | Uint8Array) => void, options?: PrimeOptions): Promise<PrimeCounts>;
  /** Writes an empty notes file; `force` overwrites an existing one and keeps a copy of it. */
  init(options?: { force?: boolean | undefined }): Promise<InitNotesResult>;
}
