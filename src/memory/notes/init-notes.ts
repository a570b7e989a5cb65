import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import type { Project } from "../../files/find-project.js";
import { makeFolder } from "../../files/make-folder.js";
import { makePrivateDirectory } from "../../files/private-directory.js";
import { readFileSnapshot } from "../../files/read-file.js";
import { replaceIfUnchanged } from "../../files/replace-file.js";
import { renderTemplate } from "../../notes/render.js";
import type { StoreContext } from "../project/place.js";
import { isPlainHome } from "../project/place.js";
import { changingNotes } from "./notes-file.js";
import { syncFile } from "./sync-notes.js";

export interface InitNotesResult {
  path: string;
  /** The backup of the overwritten file. */
  previous: string | undefined;
}

/** Writes an empty notes file. Overwrites an existing one only with `force`, and keeps a copy. */
export function initNotes(context: StoreContext, { force }: { force: boolean }): Promise<InitNotesResult> {
  const { home, storeDirectory } = context.place;
  return changingNotes(context, async ({ tx }) => {
    const { bytes, stamp } = readFileSnapshot(home.path);
    const isEmpty = bytes === undefined || bytes.length === 0;
    if (!isEmpty && !force) {
      throw new RalphError("already-exists", `The notes file already exists: ${home.path}`, {
        hint: "use --force to start with an empty file; a copy of the old one is kept",
      });
    }
    const previous = isEmpty ? undefined : keepCopy(storeDirectory, bytes, context.clock());
    if (replaceIfUnchanged(home.path, [Buffer.from(renderTemplate())], stamp) === undefined)
      throw new RalphError("file-unusable", `Another program is writing to ${home.path}`, {
        hint: "try again",
      });
    await syncFile(tx, context, home);
    return { path: home.path, previous };
  });
}

function keepCopy(storeDirectory: string, bytes: Buffer, now: Date): string {
  const directory = join(storeDirectory, "backups");
  makePrivateDirectory(directory);
  const path = join(directory, `memories-${now.toISOString().replace(/[:.]/g, "-")}.md`);
  writeFileSync(path, bytes, { mode: 0o600, flush: true, flag: "wx" });
  return path;
}

export interface InitStep {
  path: string;
  what: string;
  isNew: boolean;
}

/** Makes the user's home a project, which it is not by default. */
export function markHome(project: Project): void {
  if (isPlainHome(project)) makeFolder(join(project.root, ".agent"));
}

/** Creates what a project lacks and leaves existing files alone. */
export async function initProject(context: StoreContext, isStoreNew: boolean): Promise<InitStep[]> {
  const { home, storeDirectory } = context.place;
  const isFileNew = !existsSync(home.path);
  if (isFileNew) await initNotes(context, { force: false });
  return [
    { path: home.path, what: "notes, to be committed with the code", isNew: isFileNew },
    { path: storeDirectory, what: "records and search index, ignored by git", isNew: isStoreNew },
  ];
}
