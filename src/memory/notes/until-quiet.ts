import { stampFile } from "../../files/file-stamp.js";
import { waitForWriter } from "../../files/wait-for-writer.js";
import type { Repositories } from "../../store/store.js";
import type { NotesFile } from "../places/place.js";

/** Waits while another program is writing to a notes file. */
export async function untilQuiet(tx: Repositories, file: NotesFile): Promise<void> {
  const known = await tx.noteFiles.find(file.name);
  // Only our own writes store no digest.
  await waitForWriter(file.path, () => known?.digest === null && known.stamp === stampFile(file.path));
}
