import type { NoteProblem } from "../domain/knowledge/note.js";
import type { TrustRequest } from "../trust/request.js";

/** A message for the user besides the result. */
export type Notice =
  | { kind: "malformed-notes"; path: string; problems: NoteProblem[] }
  /** Notes of the last day that no command deleted; the log has their texts. */
  | { kind: "notes-removed"; path: string; ids: readonly string[]; log: string }
  | { kind: "notes-unusable"; message: string }
  | { kind: "unusable-skill"; path: string; message: string }
  | { kind: "index-rebuilt"; path: string }
  | { kind: "index-in-memory"; path: string }
  /** The database was removed while in use, and was written again. */
  | { kind: "database-restored"; path: string }
  /** Another file took the database's place while it was in use. */
  | { kind: "database-lost"; path: string }
  /** The last usable ones are kept, or the project's file is left out. */
  | { kind: "settings-unusable"; message: string; isLeftOut?: true }
  | { kind: "left-out"; requests: TrustRequest[] }
  | { kind: "setting-refused"; key: string }
  | { kind: "embedding"; done: number; total: number }
  | { kind: "embedder-unusable"; message: string; hint: string }
  | { kind: "indexing"; what: "notes" | "tasks" | "learnings"; done: number; total: number }
  | { kind: "backup-failed"; message: string }
  /** A team's server cannot be reached; what was to be recorded may be kept on this machine. */
  | { kind: "store-away"; message: string; isKept: boolean }
  | { kind: "store-waited-for" }
  | {
      kind: "outbox-delivered";
      /** Tasks that began while the server was away, with the ids that it gave them. */
      tasks: readonly { from: string; to: string }[];
      delivered: number;
      refused: readonly string[];
    };
