import type { Note } from "../domain/knowledge/note.js";
import { timeOfNote } from "../domain/knowledge/record-ids.js";
import type { SearchDocument } from "../store/lexical-index.js";
import { dateWords, errorWords } from "../words/error-codes.js";
import { wordsOf } from "../words/words.js";
import { noteKind, tagLabel, typeLabel } from "./record-kinds.js";

/** What of a note can be found. */
export function noteDocument(note: Note, source: string): SearchDocument {
  const [firstLine = "", ...others] = note.content.split("\n");
  return {
    kind: noteKind,
    id: note.id,
    source,
    title: wordsOf(firstLine).join(" "),
    body: wordsOf(others.join("\n")).join(" "),
    tags: wordsOf(note.tags.join(" ")).join(" "),
    files: "",
    errors: wordsOf(errorWords(note.content)).join(" "),
    dates: dateWords(note.created),
    labels: [typeLabel(note.type), ...note.tags.map(tagLabel)],
    time: timeOfNote(note),
  };
}
