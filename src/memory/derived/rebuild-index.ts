import { syncNotesIn } from "../notes/sync-notes.js";
import type { Shelf } from "../places/shelf.js";
import { fillIndex } from "./fill-index.js";

/** Empties everything derived and fills it again from the files and the records. */
export async function rebuildIndex(shelf: Shelf): Promise<{ notes: number }> {
  return shelf.store.transaction(async (tx) => {
    await tx.resetDerived();
    await fillIndex(tx, shelf.notify);
    const scope = await syncNotesIn(tx, shelf);
    const counts = await tx.notes.countByType({ scope });
    return { notes: [...counts.values()].reduce((sum, count) => sum + count, 0) };
  });
}
