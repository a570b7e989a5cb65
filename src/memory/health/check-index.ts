import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { RalphError } from "../../domain/ralph-error.js";
import { hasStore } from "../../store/open-store.js";
import type { Repositories } from "../../store/store.js";
import { counted } from "../../text/counted.js";
import { rebuildIndex } from "../derived/rebuild-index.js";
import { indexDocument, unindexNote } from "../notes/index-notes.js";
import { syncFile, syncLargeFiles } from "../notes/sync-notes.js";
import type { OpenProject } from "../project/open-project.js";
import type { Place } from "../project/place.js";
import { filesOf, type StoreContext } from "../project/place.js";
import { readNotesDocument } from "./check-notes-file.js";
import { describeError, type Finding, ok } from "./finding.js";

/** Compares every note with its file, regardless of stamps, and drops files that no longer exist. */
export async function checkIndex(session: OpenProject, place: Place): Promise<Finding[]> {
  if (!hasStore(place.storeDirectory)) return [ok("nothing to index yet")];
  const shelf = await session.openStore(place);
  try {
    // A team's index is checked with its server.
    await shelf.store.onThisMachine().transaction((tx) => tx.lexical.verify());
    await syncLargeFiles(shelf);
    const changed = await shelf.store.transaction((tx) => reindexAll(tx, session, shelf), { side: "local" });
    const dropped = await shelf.store.transaction((tx) => dropMissingFiles(tx, session, place), {
      side: "local",
    });
    const findings: Finding[] = [];
    if (changed > 0)
      findings.push({
        status: "repaired",
        detail: `${counted(changed, "note")} differed from the file and indexed again`,
      });
    if (dropped > 0)
      findings.push({
        status: "repaired",
        detail: `${counted(dropped, "file")} of removed worktrees dropped`,
      });
    return findings.length > 0 ? findings : [ok("up to date")];
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "index-damaged") throw error;
    const { notes } = await rebuildIndex(shelf);
    return [
      { status: "repaired", detail: `rebuilt with ${counted(notes, "note")} (${describeError(error)})` },
    ];
  }
}

async function reindexAll(tx: Repositories, session: OpenProject, shelf: StoreContext): Promise<number> {
  let changed = 0;
  for (const file of filesOf(shelf.place)) {
    const { fileId } = await syncFile(tx, shelf, file);
    const document = readNotesDocument(session, file);
    if (document !== undefined) changed += await indexDocument(tx, shelf, fileId, document);
  }
  return changed;
}

async function dropMissingFiles(
  tx: Repositories,
  { home, owner }: OpenProject,
  place: Place,
): Promise<number> {
  const ours = filesOf(place).map((file) => file.name);
  const gone = (await tx.noteFiles.list()).filter(({ path }) => {
    return owner === "project" && !ours.includes(path) && !existsSync(resolve(home, path));
  });
  for (const { fileId } of gone) {
    for (const { id } of await tx.notes.listPrints(fileId)) await unindexNote(tx, fileId, id);
    await tx.noteFiles.remove(fileId);
  }
  return gone.length;
}
