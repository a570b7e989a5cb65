import type { LoadedSettings } from "../config/loaded-settings.js";
import type { StoredNote } from "../domain/knowledge/note.js";
import type { Project } from "../files/find-project.js";
import type { Embedded, EmbedOptions } from "./derived/meaning/embed-records.js";
import type { Health } from "./health/check-health.js";
import type { LearningVerbs } from "./learnings/learning-verbs.js";
import type { NoteListing } from "./notes/list-notes.js";
import type { Prime, PrimeCounts, PrimeOptions, PrimeText } from "./notes/prime-notes.js";
import type { NoteSearch } from "./notes/search-notes.js";
import type { AddedNote, NewNote } from "./notes/writing/add-note.js";
import type { EditedNote, NoteEdit } from "./notes/writing/edit-note.js";
import type { InitNotesResult, InitStep } from "./notes/writing/init-notes.js";
import type { RecallVerbs } from "./recall/recall-verbs.js";
import type { SkillVerbs } from "./skills/skill-verbs.js";
import type { RunVerbs } from "./tasks/run-verbs.js";
import type { SimilarTaskVerbs } from "./tasks/similar-task-verbs.js";
import type { TaskVerbs } from "./tasks/task-verbs.js";
import type { WorkingVerbs } from "./working/working-verbs.js";

/** The whole memory of a project, or of the user: what the command line, MCP and hooks show is this. */
export interface Memory
  extends TaskVerbs,
    SimilarTaskVerbs,
    LearningVerbs,
    SkillVerbs,
    WorkingVerbs,
    RecallVerbs,
    RunVerbs {
  readonly project: Project;

  /** Writes a note down, unless one of its type already says the same. */
  addNote(note: NewNote): Promise<AddedNote>;
  /** Changes content, tags or type of a note. An id may be shortened to what is unique. */
  editNote(id: string, edit: NoteEdit): Promise<EditedNote>;
  /** Takes a note out and returns it. */
  deleteNote(id: string): Promise<StoredNote>;
  getNote(id: string): Promise<StoredNote>;
  /** Newest first. */
  listNotes(listing?: NoteListing): Promise<StoredNote[]>;
  /** Best first. */
  searchNotes(search: NoteSearch): Promise<StoredNote[]>;
  /** Notes for a prompt, the user's own among them, within a budget. */
  primeNotes(options?: PrimeOptions): Promise<Prime>;
  /** The same as Markdown; `text` is empty when not even its frame fits the budget. */
  primeText(options?: PrimeOptions): Promise<PrimeText>;
  /** The same, written piece by piece. */
  primeInto(write: (piece: string | Uint8Array) => void, options?: PrimeOptions): Promise<PrimeCounts>;

  initNotes(options: { force: boolean }): Promise<InitNotesResult>;
  initProject(): Promise<InitStep[]>;
  /** Makes everything derived anew and tells how many notes there are. */
  rebuildIndex(): Promise<{ notes: number }>;
  /** Gives records that lack one a vector, by the embedder that is set; searches use the vectors that are there. */
  embedRecords(options?: EmbedOptions): Promise<Embedded>;
  /** The same for a few, beside other work: does nothing where no embedder is set, and a fault of it is only told. */
  embedPending(limit?: number): Promise<void>;
  settings(): Promise<LoadedSettings>;
  /** Checks every part and repairs what is derived; damaged records only when told to. */
  checkHealth(options: { repair: boolean }): Promise<Health>;
  close(): Promise<void>;
}
