import type { NoteType, StoredNote } from "../../domain/knowledge/note.js";
import type { OpenProject } from "../project/open-project.js";
import { type InitNotesResult, initNotes } from "./init-notes.js";
import { countNotes, getNote, listNotes, type NoteListing, type NoteSelection } from "./list-notes.js";
import {
  type AddedNote,
  checkNewNote,
  checkNoteEdit,
  type EditedNote,
  type NewNote,
  type NoteEdit,
} from "./note-input.js";
import {
  type Prime,
  type PrimeCounts,
  type PrimeOptions,
  type PrimeText,
  primeInto,
  primeNotes,
  primeText,
} from "./prime-notes.js";
import { type NoteSearch, searchNotes } from "./search-notes.js";
import { noteNotFound } from "./sync-notes.js";
import { addNote, deleteNote, editNote } from "./write-notes.js";

/** `memory.notes`: knowledge that people and agents wrote down. Ids may be shortened if unique. */
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
  /** The number of matching notes by type; types without any are left out. */
  count(selection?: NoteSelection): Promise<Partial<Record<NoteType, number>>>;
  /** Best match first. */
  search(search: NoteSearch): Promise<StoredNote[]>;
  /** Notes for a prompt, including the user's own, within a budget. */
  prime(options?: PrimeOptions): Promise<Prime>;
  /** The notes as Markdown; `text` is empty if no note fits the budget. */
  primeText(options?: PrimeOptions): Promise<PrimeText>;
  /** Like `primeText`, written in chunks. */
  primeInto(write: (piece: string | Uint8Array) => void, options?: PrimeOptions): Promise<PrimeCounts>;
  /** Writes an empty notes file; `force` overwrites an existing one and keeps a copy. */
  init(options?: { force?: boolean | undefined }): Promise<InitNotesResult>;
}

export function makeNoteVerbs(session: OpenProject): NoteVerbs {
  /** Throws instead of creating a memory for a project without notes on this machine. */
  const mustExist = async (id: string): Promise<void> => {
    const context = await session.findStore();
    if (context === undefined || context.isElsewhere) throw noteNotFound(id);
  };

  return {
    async add(input) {
      const note = checkNewNote(input);
      return session.write((context) => addNote(context, note));
    },
    async edit(id, edit) {
      const checked = checkNoteEdit(edit);
      await mustExist(id);
      return session.write((context) => editNote(context, id, checked));
    },
    async delete(id) {
      await mustExist(id);
      return session.write((context) => deleteNote(context, id));
    },
    get: (id) =>
      session.read(
        (context) => getNote(context, id),
        () => {
          throw noteNotFound(id);
        },
      ),
    list: (listing = {}) =>
      session.read(
        (context) => listNotes(context, listing),
        () => [],
      ),
    count: (selection = {}) =>
      session.read(
        (context) => countNotes(context, selection),
        () => ({}),
      ),
    search: (search) =>
      session.read(
        async (context) => searchNotes(context, search, await session.recordFinder(context.store)),
        () => [],
      ),
    prime: async (options = {}) => primeNotes(await session.findStores(), options),
    primeText: async (options = {}) => primeText(await session.findStores(), options),
    primeInto: async (write, options = {}) => primeInto(await session.findStores(), options, write),
    init: ({ force = false } = {}) => session.write((context) => initNotes(context, { force })),
  };
}
