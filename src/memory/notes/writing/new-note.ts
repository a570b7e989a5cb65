import type { Note, NoteType, StoredNote } from "../../../domain/knowledge/note.js";
import type { SecretKind } from "../../../text/secrets/mark.js";

export interface NewNote {
  content: string;
  type?: NoteType;
  tags?: readonly string[];
}

/** `existing` if a note of this type already has this content; that note is returned. */
export interface AddedNote {
  kind: "added" | "existing";
  note: StoredNote;
  redacted: SecretKind[];
}

/** A valid new note, with secrets redacted. */
export interface CheckedNote extends Pick<Note, "type" | "content" | "tags"> {
  redacted: SecretKind[];
}
