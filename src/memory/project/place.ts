import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { Clock } from "../../domain/clock.js";
import type { NoteOrigin, StoredNote } from "../../domain/knowledge/note.js";
import type { RandomHex } from "../../domain/knowledge/record-ids.js";
import { RalphError } from "../../domain/ralph-error.js";
import { isHomeFolder, type Project } from "../../files/find-project.js";
import type { NoteRow, NoteScope } from "../../store/repositories/notes/note-rows.js";
import type { Store } from "../../store/store.js";
import type { Notice } from "../notice.js";

/** A notes file, by the name under which the store knows it. */
export interface NotesFile {
  path: string;
  name: string;
  origin: NoteOrigin;
}

/** The files of one memory: its database, the notes file it writes, and a worktree's copy of that file. */
export interface Place {
  storeDirectory: string;
  home: NotesFile;
  copy: NotesFile | undefined;
}

/** An open store together with the notes files it indexes. */
export interface StoreContext {
  place: Place;
  store: Store;
  /** Nothing of it is on this machine yet: the team's records are read, and no files are created. */
  isElsewhere?: boolean;
  /** No more notes are indexed after this moment, by the clock of this process; the next command continues. */
  indexUntilMs?: number | undefined;
  clock: Clock;
  random: RandomHex;
  notify(notice: Notice): void;
}

const notesPath = join(".agent", "memories.md");

/** Whether a notes file is the one in `.agent`, whose folder may be a link as well. */
export function isInAgentFolder({ path }: Pick<NotesFile, "path">): boolean {
  return path.endsWith(sep + notesPath);
}

export function projectPlace(
  project: Project,
  scope: "repository" | "branch",
  storeDirectory: string,
): Place {
  const file = (root: string, origin: NoteOrigin): NotesFile => {
    const path = join(root, notesPath);
    return { path, name: root === project.home ? notesPath : relative(project.home, path), origin };
  };
  if (project.root === project.home)
    return { storeDirectory, home: file(project.home, "project"), copy: undefined };
  if (scope === "branch") return { storeDirectory, home: file(project.root, "project"), copy: undefined };
  return { storeDirectory, home: file(project.home, "project"), copy: file(project.root, "worktree") };
}

export function userPlace(userHome: string): Place {
  const home: NotesFile = { path: join(userHome, "memories.md"), name: "memories.md", origin: "user" };
  return { storeDirectory: userHome, home, copy: undefined };
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

/** Whether it is the user's home folder, not made a project by anybody: the `.ralph` in it is the user's own. */
export function isPlainHome({ root, isUnmarked = false }: Project): boolean {
  return isUnmarked && isHomeFolder(root) && !existsSync(join(root, ".agent"));
}

export function homeIsNoProject({ root }: Project): RalphError {
  return new RalphError("wrong-use", `Your home folder is not a project: ${root}`, {
    hint: 'go to the folder of one; "ralph memory add --global" is for notes that count in all of them, and "ralph init" makes a project of it all the same',
  });
}
