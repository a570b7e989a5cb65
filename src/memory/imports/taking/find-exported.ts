import { adviceOf } from "../../../domain/knowledge/statement.js";
import { numberOfTaskId } from "../../../domain/tasks/task.js";
import { queryHistory } from "../../../episodic/history/query-history.js";
import { toldByTask } from "../../../episodic/history/told-by-task.js";
import type { Repositories } from "../../../store/store.js";
import { normaliseText } from "../../../text/fingerprint.js";
import type { ForeignRecord } from "../foreign-record.js";
import type { Taking } from "./taking.js";

/** The id of the record here that an export wrote this one from, if that still says the same. */
export async function findExported(
  tx: Repositories,
  taking: Taking,
  { exportedFrom }: ForeignRecord,
): Promise<string | undefined> {
  if (exportedFrom === undefined) return undefined;
  const { id, texts } = exportedFrom;
  const statements = (await statementsOf(tx, taking, id)).map(normaliseText);
  const isSaid = (text: string) => statements.some((statement) => statement.includes(normaliseText(text)));
  return statements.length > 0 && texts.every(isSaid) ? id : undefined;
}

async function statementsOf(tx: Repositories, { notesFile }: Taking, id: string): Promise<string[]> {
  if (id.startsWith("learn-")) {
    const learning = (await tx.learnings.find(id))?.learning;
    return learning === undefined ? [] : [adviceOf(learning)];
  }
  const number = numberOfTaskId(id);
  if (number !== undefined) {
    const isHere = (await tx.tasks.find(number)) !== undefined;
    return isHere ? toldByTask(await queryHistory({ store: tx }, id, { isFull: false })) : [];
  }
  const file = await tx.noteFiles.find(notesFile);
  const note = file === undefined ? undefined : await tx.notes.find(file.fileId, id);
  return note === undefined ? [] : [note.content];
}
