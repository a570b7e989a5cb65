/** Knowledge that a person or an agent wrote down. */
export interface Note {
  id: string;
  type: NoteType;
  content: string;
  tags: string[];
  /** `YYYY-MM-DD`. */
  created: string;
}

/** In the order of their sections in the file. */
export const noteTypes = ["pattern", "decision", "fix", "context"] as const;

export type NoteType = (typeof noteTypes)[number];

/** Where a stored note was read from: the shared file, this worktree's own copy, or the user's file. */
export type NoteOrigin = "project" | "worktree" | "user";

export interface StoredNote extends Note {
  origin: NoteOrigin;
}

/** Changes to a note. */
export interface NoteChange {
  content?: string;
  tags?: string[];
  type?: NoteType;
}

/** A part of the notes file that cannot be parsed as a note and is left alone. */
export interface NoteProblem {
  line: number;
  message: string;
  /** The notes that cannot be read because of it, if it is a merge conflict. */
  ids?: string[];
  /** The file is not read from this line on: it is too large. */
  isCut?: true;
}

export const sectionNames: Record<NoteType, string> = {
  pattern: "Patterns",
  decision: "Decisions",
  fix: "Fixes",
  context: "Context",
};

export const noteEmoji: Record<NoteType, string> = {
  pattern: "🔄",
  decision: "⚖️",
  fix: "🔧",
  context: "📍",
};

export const maxNoteBytes = 16 * 1024;

export function isNoteType(word: string): word is NoteType {
  return (noteTypes as readonly string[]).includes(word);
}

const megabyte = 1024 * 1024;

/** Limits for reading a notes file, which may come from an untrusted repository: far more than anyone can use. */
export const notesLimits = {
  bytes: 16 * megabyte,
  notes: 50_000,
  /** Lines that may belong to a note: headings, quotes, comments, fences. Prose and empty lines do not count. */
  lines: 500_000,
  tags: 1000,
  /** Reported problems per file. */
  problems: 100,
};
