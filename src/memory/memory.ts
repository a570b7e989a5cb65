import type { LoadedSettings } from "../config/loaded-settings.js";
import type { StoredNote } from "../domain/note.js";
import type { Reflection } from "../domain/reflection.js";
import type { Task } from "../domain/task.js";
import type { AttemptResult } from "../episodic/attempt-result.js";
import type { CompletedAttempt } from "../episodic/complete-attempt.js";
import type { InitTaskInput } from "../episodic/init-task.js";
import type { LogEntry, Logged } from "../episodic/log-entries.js";
import type { TaskHistory } from "../episodic/query-history.js";
import type { ReflectionInput } from "../episodic/reflect-by-hand.js";
import type { StartAttemptInput, StartedAttempt } from "../episodic/start-attempt.js";
import type { Project } from "../files/find-project.js";
import type { TaskFilter } from "../store/repositories/tasks.js";
import type { AddedNote, NewNote } from "./add-note.js";
import type { EditedNote, NoteEdit } from "./edit-note.js";
import type { Health } from "./health/check-health.js";
import type { InitNotesResult, InitStep } from "./init-notes.js";
import type { NoteListing } from "./list-notes.js";
import type { Prime, PrimeCounts, PrimeOptions, PrimeText } from "./prime-notes.js";
import type { NoteSearch } from "./search-notes.js";

/** The whole memory of a project, or of the user: what the command line, MCP and hooks show is this. */
export interface Memory {
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

  /** Records a new task. */
  initTask(task: InitTaskInput): Promise<Task>;
  /** Starts the next attempt of a task, with the reflections of earlier ones and a plan that uses them. */
  startAttempt(taskId: string, input?: StartAttemptInput): Promise<StartedAttempt>;
  /** Adds actions, milestones and qualities to the attempt that is under way. */
  logEntries(taskId: string, entries: readonly LogEntry[]): Promise<Logged>;
  /** Ends the attempt that is under way and reflects on it. */
  completeAttempt(taskId: string, result: AttemptResult): Promise<CompletedAttempt>;
  /** Records a reflection by hand. */
  reflect(taskId: string, input: ReflectionInput): Promise<Reflection>;
  pauseTask(taskId: string): Promise<Task>;
  continueTask(taskId: string): Promise<Task>;
  /** Newest first. */
  listTasks(filter?: TaskFilter, limit?: number): Promise<Task[]>;
  /** Everything about one task. */
  queryHistory(taskId: string): Promise<TaskHistory>;

  initNotes(options: { force: boolean }): Promise<InitNotesResult>;
  initProject(): Promise<InitStep[]>;
  /** Makes everything derived anew and tells how many notes there are. */
  rebuildIndex(): Promise<{ notes: number }>;
  settings(): Promise<LoadedSettings>;
  /** Checks every part and repairs what is derived; damaged records only when told to. */
  checkHealth(options: { repair: boolean }): Promise<Health>;
  close(): Promise<void>;
}
