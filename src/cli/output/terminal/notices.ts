import type { Notice } from "../../../memory/notice.js";
import type { SecretKind } from "../../../text/secrets/redact.js";
import type { Terminal } from "./terminal.js";

/** Says on stderr what the user should hear of beside the result. */
export function tellNotice(notice: Notice, terminal: Terminal): void {
  switch (notice.kind) {
    case "malformed-notes":
      for (const { line, message } of notice.problems) {
        terminal.talk(`Warning: ${notice.path}, line ${line}: ${message}; left as it is\n`);
      }
      return;
    case "unusable-skill":
      terminal.talk(`Warning: ${notice.message}; left as it is\n`);
      return;
    case "index-rebuilt":
      terminal.talk(`Note: the search index in ${notice.path} was damaged and has been rebuilt\n`);
      return;
    case "index-in-memory":
      terminal.talk(`Note: ${notice.path} cannot be written; notes are indexed anew by every command\n`);
      return;
    case "database-put-back":
      terminal.talk(`Warning: ${notice.path} was taken away while it was in use; it has been put back\n`);
      return;
    case "settings-unusable":
      terminal.talk(`Warning: ${notice.message}; what was set before stays\n`);
      return;
    case "backup-failed":
      terminal.talk(`Warning: the daily backup failed: ${notice.message}\n`);
      return;
    case "embedder-unusable":
      terminal.talk(`Warning: only words count: ${notice.message}${notice.hint && ` (${notice.hint})`}\n`);
      return;
    case "embedding":
      if (terminal.isTalkWatched) {
        const isDone = notice.done === notice.total;
        terminal.talk(`\rEmbedding: ${notice.done} of ${notice.total}${isDone ? "\n" : ""}`);
      }
      return;
    case "indexing":
      if (terminal.isTalkWatched) {
        const isDone = notice.done + 1000 > notice.total;
        terminal.talk(`\rIndexing ${notice.what}: ${notice.done} of ${notice.total}${isDone ? "\n" : ""}`);
      }
  }
}

export function tellRedacted(kinds: readonly SecretKind[], terminal: Terminal): void {
  if (kinds.length > 0) terminal.talk(`Note: secrets were replaced before storing: ${kinds.join(", ")}\n`);
}
