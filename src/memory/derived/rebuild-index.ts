import { syncNotesIn } from "../notes/sync-notes.js";
import type { StoreContext } from "../project/place.js";
import { fillIndex } from "./fill-index.js";

/** Clears all derived data and rebuilds it from the notes files and the records. */
export async function rebuildIndex(shelf: StoreContext): Promise<{ notes: number }> {
  await shelf.store.transaction(async (tx) => {
    await tx.resetDerived();
    await fillIndex(tx, shelf.notify);
  });
  return shelf.store.transaction(
    async (tx) => {
      const scope = await syncNotesIn(tx, shelf);
      const counts = await tx.notes.countByType({ scope });
      return { notes: [...counts.values()].reduce((sum, count) => sum + count, 0) };
    },
    { side: "local" },
  );
}
