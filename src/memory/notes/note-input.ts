import {
  isNoteType,
  maxNoteBytes,
  type Note,
  type NoteChange,
  type NoteType,
  noteTypes,
  type StoredNote,
} from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import { suggest } from "../../text/nearest.js";
import type { SecretKind } from "../../text/secrets/mark.js";
import { redact } from "../../text/secrets/redact.js";

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

export interface NoteEdit {
  content?: string | undefined;
  tags?: readonly string[] | undefined;
  type?: NoteType | undefined;
}

export interface EditedNote {
  note: StoredNote;
  redacted: SecretKind[];
}

/** A valid new note, with secrets redacted. */
export interface CheckedNote extends Pick<Note, "type" | "content" | "tags"> {
  redacted: SecretKind[];
}

/** A valid edit, with secrets redacted. */
export interface CheckedEdit {
  change: NoteChange;
  redacted: SecretKind[];
}

const addHint = 'for example: ralph memory add "uses barrel exports"';
const editHint = 'give new content, or remove the note with "ralph memory delete"; nothing was changed';
const maxTagLength = 64;

/** Rejects invalid input before anything is opened or created. */
export function checkNewNote({ content, tags = [], type = "pattern" }: NewNote): CheckedNote {
  const found = new Set<SecretKind>();
  return {
    content: checkContent(content, addHint, found),
    tags: checkTags(tags, found),
    type: checkType(type),
    redacted: [...found],
  };
}

/** Rejects invalid input before anything is opened or created. */
export function checkNoteEdit({ content, tags, type }: NoteEdit): CheckedEdit {
  if (content === undefined && tags === undefined && type === undefined)
    throw new RalphError("wrong-use", "Nothing to change", { hint: "give new content, --type or --tags" });
  const found = new Set<SecretKind>();
  return {
    change: {
      ...(content !== undefined && { content: checkContent(content, editHint, found) }),
      ...(tags && { tags: checkTags(tags, found) }),
      ...(type && { type: checkType(type) }),
    },
    redacted: [...found],
  };
}

/** For callers without a type checker. */
export function checkType(word: string): NoteType {
  if (isNoteType(word)) return word;
  throw new RalphError("wrong-use", `Unknown memory type: ${word}`, { hint: suggest(word, noteTypes) });
}

/** Content with normalised line ends and redacted secrets. */
function checkContent(raw: string, hint: string, found: Set<SecretKind>): string {
  if (typeof raw !== "string") throw new RalphError("wrong-use", "The content of a note must be a string");
  const content = raw.toWellFormed().replace(/\r\n?/g, "\n");
  if (content.trim() === "") throw new RalphError("wrong-use", "The note is empty", { hint });
  if (content.includes("\0")) throw new RalphError("wrong-use", "A note must be text, not binary data");
  const size = Buffer.byteLength(content);
  if (size > maxNoteBytes) {
    throw new RalphError("wrong-use", `A note can have at most ${maxNoteBytes} bytes, this one has ${size}`, {
      hint: "split it: one idea per note",
    });
  }
  return withoutSecrets(content, found);
}

/** Tags without duplicates, in the order given. */
function checkTags(raw: readonly string[], found: Set<SecretKind>): string[] {
  const tags = raw.map((tag) => withoutSecrets(tag.toWellFormed().trim(), found));
  for (const tag of tags) {
    // These would end the tag or the comment around it.
    const bad = /[|,<>\r\n\0]|--/.exec(tag)?.[0];
    if (bad !== undefined) {
      const shown = JSON.stringify(bad);
      throw new RalphError("wrong-use", `A tag cannot contain ${shown}: ${JSON.stringify(tag)}`, {
        hint: "use letters, digits and -",
      });
    }
    if (tag.length > maxTagLength) {
      const start = tag.slice(0, 20);
      throw new RalphError("wrong-use", `A tag can have at most ${maxTagLength} characters: ${start}…`);
    }
  }
  return [...new Set(tags.filter((tag) => tag !== ""))];
}

function withoutSecrets(text: string, found: Set<SecretKind>): string {
  const safe = redact(text);
  for (const kind of safe.found) found.add(kind);
  return safe.text;
}
