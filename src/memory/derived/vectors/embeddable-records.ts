import { shapeQuery } from "../../../search/question.js";
import { noteKind, taskKind } from "../../../search/record-kinds.js";
import type { DocumentKey } from "../../../store/lexical-index.js";
import { syncNotes } from "../../notes/sync-notes.js";
import type { StoreContext } from "../../project/place.js";

export interface EmbeddableRecord extends DocumentKey {
  text: string;
}

/** Only the start of a text is embedded, which does not represent a long note. */
const longestNote = 2000;

const lastReflections = 3;

export interface Embeddable {
  records: EmbeddableRecord[];
  /** Where the records come from; other worktrees' files are not included. */
  sources: ReadonlySet<string>;
}

/** Every record that can be embedded, with its text. */
export async function listEmbeddable(shelf: StoreContext): Promise<Embeddable> {
  const { store } = shelf;
  const scope = await syncNotes(shelf);
  const notes = await store.notes.list({ scope });
  const records: EmbeddableRecord[] = notes
    .filter(({ content }) => content.length <= longestNote)
    .map(({ id, fileId, content }) => ({
      kind: noteKind,
      id,
      source: String(fileId),
      text: shapeQuery(content),
    }));
  for (const task of await store.tasks.list({ includesArchived: true })) {
    const reflections = await store.reflections.listLast(task.number, lastReflections);
    const lessons = reflections.flatMap(({ observation, learning }) => [learning, observation]);
    const text = [shapeQuery(task.description), ...lessons].filter((part) => part !== "").join("\n");
    records.push({ kind: taskKind, id: task.id, source: "", text: shapeQuery(text) });
  }
  return { records, sources: new Set([String(scope.home), String(scope.copy ?? scope.home), ""]) };
}
