import type { Note } from "../../../domain/knowledge/note.js";
import { timeOfNote } from "../../../domain/knowledge/record-ids.js";
import { renderNote } from "../../../notes/render.js";
import { noteDocument } from "../../../search/note-document.js";
import { noteKind } from "../../../search/record-kinds.js";
import type { Repositories } from "../../../store/store.js";
import { fingerprint, normaliseText } from "../../../text/fingerprint.js";
import { withoutSecrets } from "../../../text/secrets/without-secrets.js";
import { countTokens } from "../../../text/tokens/count-tokens.js";

/** Far more than a note should have; people may write anything into their file. */
export const maxIndexedLength = 1024 * 1024;
/** A secret may span the cut. */
const margin = 8 * 1024;

/** Adds a note to the index. Search results come from the index, so secrets are redacted here too. */
export async function indexNote(tx: Repositories, fileId: number, note: Note): Promise<void> {
  const safe: Note = {
    ...note,
    content: await indexedContent(note.content),
    tags: await Promise.all(note.tags.map(withoutSecrets)),
  };
  const block = renderNote(safe);
  await tx.notes.add({
    ...safe,
    fileId,
    time: timeOfNote(safe),
    likeness: contentKey(safe.content),
    blockPrint: blockPrintOf(note),
    block,
    tokens: countTokens(`\n${block}`),
  });
  await tx.lexical.put(noteDocument(safe, String(fileId)));
}

/** The beginning of a note that is too long: searching and printing all of it would take minutes. */
async function indexedContent(content: string): Promise<string> {
  if (content.length <= maxIndexedLength) return withoutSecrets(content);
  const beginning = await withoutSecrets(content.slice(0, maxIndexedLength + margin));
  return `${beginning.slice(0, maxIndexedLength)}\n[… the rest of ${content.length} characters is in the file …]`;
}

export async function unindexNote(tx: Repositories, fileId: number, id: string): Promise<void> {
  await tx.notes.remove(fileId, id);
  await tx.lexical.remove({ kind: noteKind, id, source: String(fileId) });
}

/** Equal for notes with the same normalised content. */
export function contentKey(content: string): string {
  return fingerprint(normaliseText(content));
}

/** Changes whenever an indexed part of the note changes. */
export function blockPrintOf(note: Note): string {
  return fingerprint(JSON.stringify([note.type, note.content, note.tags, note.created]));
}
