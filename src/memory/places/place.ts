import { join, relative, sep } from "node:path";
import type { NoteOrigin } from "../../domain/knowledge/note.js";
import type { Project } from "../../files/find-project.js";

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
