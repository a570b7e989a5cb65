import { lazyModule } from "../../domain/lazy-module.js";
import type { ProjectSession } from "../project-session.js";
import { noteNotFound } from "./note-not-found.js";
import type { NoteVerbs } from "./note-verbs.js";

const listing = lazyModule(() => import("./reading/list-notes.js"));
const searching = lazyModule(() => import("./reading/search-notes.js"));
const adding = lazyModule(() => import("./writing/add-note.js"));
const editing = lazyModule(() => import("./writing/edit-note.js"));
const deleting = lazyModule(() => import("./writing/delete-note.js"));
const init = lazyModule(() => import("./writing/init-notes.js"));
const priming = lazyModule(() => import("./prime/prime-notes.js"));

export function makeNoteVerbs(session: ProjectSession): NoteVerbs {
  const { shelves } = session;

  /** Throws instead of creating a memory for a project that has none on this machine, where notes are. */
  const mustExist = async (id: string): Promise<void> => {
    const shelf = await shelves.find();
    if (shelf === undefined || shelf.isElsewhere) throw noteNotFound(id);
  };

  return {
    add: (note) => adding.addNote(session, note),
    async edit(id, edit) {
      const checked = await editing.checkNoteEdit(edit);
      await mustExist(id);
      return session.write((shelf) => editing.editNote(shelf, id, checked));
    },
    async delete(id) {
      await mustExist(id);
      return session.write((shelf) => deleting.deleteNote(shelf, id));
    },
    get: (id) =>
      session.read(
        (shelf) => listing.getNote(shelf, id),
        () => {
          throw noteNotFound(id);
        },
      ),
    list: (wanted = {}) =>
      session.read(
        (shelf) => listing.listNotes(shelf, wanted),
        () => [],
      ),
    count: (selection = {}) =>
      session.read(
        (shelf) => listing.countNotes(shelf, selection),
        () => ({}),
      ),
    search: (search) =>
      session.read(
        async (shelf) => searching.searchNotes(shelf, search, await session.recordFinder(shelf.store)),
        () => [],
      ),
    prime: async (options = {}) => priming.primeNotes(await shelves.findAll(), options),
    primeText: async (options = {}) => priming.primeText(await shelves.findAll(), options),
    primeInto: async (write, options = {}) => priming.primeInto(await shelves.findAll(), options, write),
    init: ({ force = false } = {}) => session.write((shelf) => init.initNotes(shelf, { force })),
  };
}
