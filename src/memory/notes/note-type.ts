import { isNoteType, type NoteType, noteTypes } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import { suggest } from "../../text/nearest.js";

/** For callers without a type checker. */
export function checkType(word: string): NoteType {
  if (isNoteType(word)) return word;
  throw new RalphError("wrong-use", `Unknown memory type: ${word}`, { hint: suggest(word, noteTypes) });
}
