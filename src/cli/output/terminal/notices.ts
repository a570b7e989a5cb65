import type { Notice } from "../../../memory/notice.js";
import { trustHint } from "../../../memory/project/project-trust.js";
import type { SecretKind } from "../../../text/secrets/mark.js";
import type { TrustRequest } from "../../../trust/request.js";
import { oneLine } from "./style.js";
import type { Terminal } from "./terminal.js";

/** Prints a notice to stderr. */
export function printNotice(notice: Notice, terminal: Terminal): void {
  switch (notice.kind) {
    case "malformed-notes":
      for (const { line, message } of notice.problems) {
        terminal.talk(`Warning: ${notice.path}, line ${line}: ${message}; left unchanged\n`);
      }
      return;
    case "notes-removed":
      terminal.talk(
        `Note: ${notice.path} no longer has ${notice.ids.join(", ")}; if you did not delete it there, an editor or git brought back an older copy: ${notice.log} has the text\n`,
      );
      return;
    case "notes-unusable":
      terminal.talk(`Warning: going on without notes: ${notice.message}\n`);
      return;
    case "unusable-skill":
      terminal.talk(`Warning: ${notice.message}; skipped\n`);
      return;
    case "index-rebuilt":
      terminal.talk(`Note: the search index in ${notice.path} was damaged and has been rebuilt\n`);
      return;
    case "index-in-memory":
      terminal.talk(`Note: ${notice.path} is not writable; every command has to rebuild the index\n`);
      return;
    case "database-lost":
      terminal.talk(
        `Warning: ${notice.path} was replaced by another file while in use; what this process recorded in it is lost\n`,
      );
      return;
    case "database-restored":
      terminal.talk(`Warning: ${notice.path} was removed while in use and has been written again\n`);
      return;
    case "settings-unusable":
      terminal.talk(
        `Warning: ${notice.message}; ${notice.isLeftOut ? "going on without it" : "keeping the previous settings"}\n`,
      );
      return;
    case "left-out":
      terminal.talk(`Note: ${leftOut(notice.requests)} (${trustHint})\n`);
      return;
    case "setting-refused":
      terminal.talk(`Note: ${notice.key} counts only in your own ralph.yml; left out\n`);
      return;
    case "store-away":
      terminal.talk(
        notice.isKept
          ? `Note: ${notice.message}; what was to be recorded waits here, and the next command that reaches it delivers it\n`
          : `Note: ${notice.message}; going on with what is on this machine\n`,
      );
      return;
    case "store-waited-for":
      terminal.talk("Note: the team's store cannot be reached any more; waiting for it\n");
      return;
    case "outbox-delivered":
      for (const { from, to } of notice.tasks)
        terminal.talk(`Note: ${from} was delivered to the store, and is ${to} there\n`);
      if (notice.delivered > 0)
        terminal.talk(
          `Note: ${notice.delivered === 1 ? "one record" : `${notice.delivered} records`} that had waited for the store ${notice.delivered === 1 ? "was" : "were"} delivered\n`,
        );
      for (const why of notice.refused)
        terminal.talk(`Warning: something that had waited for the store was not taken: ${oneLine(why)}\n`);
      return;
    case "backup-failed":
      terminal.talk(`Warning: the backup failed: ${notice.message}\n`);
      return;
    case "embedder-unusable":
      terminal.talk(
        `Warning: searching by words only: ${notice.message}${notice.hint && ` (${notice.hint})`}\n`,
      );
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

function leftOut(requests: readonly TrustRequest[]): string {
  const names = requests.map(({ kind, name, value }) => (kind === "link" ? `${name} → ${value}` : name));
  return `left out, because this project is not trusted: ${oneLine(names.join(", "))}`;
}

export function printRedacted(kinds: readonly SecretKind[], terminal: Terminal): void {
  if (kinds.length > 0) terminal.talk(`Note: secrets were redacted before storing: ${kinds.join(", ")}\n`);
}
