import type { ReplacedFile } from "../../../files/shared/replace-shared.js";
import type { Repositories, TransactionOptions } from "../../../store/store.js";
import type { Shelf } from "../../places/shelf.js";
import { syncLargeFiles } from "../sync-notes.js";

/** A write transaction together with the files it has changed. */
export interface NotesTransaction {
  tx: Repositories;
  written: WrittenFile[];
}

export interface WrittenFile extends ReplacedFile {
  /** Merges what somebody wrote to the file that was replaced. */
  settle(transaction: NotesTransaction): Promise<void>;
}

/** What was written is restored when the transaction fails, and settled when somebody writes to it later. */
export function trackWritten(
  { written }: NotesTransaction,
  replaced: readonly ReplacedFile[],
  settle: WrittenFile["settle"],
): void {
  for (const file of replaced) written.push({ ...file, settle });
}

const maxLooks = 3;

/**
 * Runs `work` in a write transaction, whose lock serialises writers of the notes files. If it fails, files that were
 * already written are restored. What was replaced is looked at again behind it.
 */
export async function inNotesTransaction<Result>(
  shelf: Shelf,
  work: (transaction: NotesTransaction) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  await syncLargeFiles(shelf);
  const { result, written } = await runOnce(shelf, work, options);
  if (written.some((file) => file.hasLateWrite())) await lookAgain(shelf, written);
  return result;
}

async function runOnce<Result>(
  shelf: Shelf,
  work: (transaction: NotesTransaction) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<{ result: Result; written: WrittenFile[] }> {
  const written: WrittenFile[] = [];
  try {
    const result = await shelf.store.transaction((tx) => work({ tx, written }), {
      ...options,
      side: "local",
    });
    for (const { onDisk } of written) await onDisk;
    return { result, written };
  } catch (error) {
    for (const file of written.reverse()) file.restore();
    throw error;
  }
}

async function lookAgain(shelf: Shelf, first: readonly WrittenFile[]): Promise<void> {
  let late = first.filter((file) => file.hasLateWrite());
  try {
    for (let look = 0; look < maxLooks && late.length > 0; look += 1) {
      const { written } = await runOnce(shelf, async (transaction) => {
        for (const file of late) await file.settle(transaction);
      });
      late = written.filter((file) => file.hasLateWrite());
    }
  } catch {
    // What was asked for is done. The next command that writes finds the same, and says what is wrong with it.
  }
}
