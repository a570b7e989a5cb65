import type { Notice } from "../../../memory/notice.js";
import { trustHint } from "../../../memory/places/guard.js";
import type { Rescue } from "../../../store/store.js";
import type { SecretKind } from "../../../text/secrets/mark.js";
import type { TrustRequest } from "../../../trust/request.js";
import { oneLine } from "./printable.js";
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
    case "database-rescued": {
      const done = describeRescue(notice.rescue);
      if (done !== undefined) terminal.talk(`Warning: ${notice.path} ${done}\n`);
      return;
    }
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
    case "rows-altered": {
      const counts = Object.entries(notice.tables).map(([table, count]) => `${count} of ${table}`);
      terminal.talk(
        `Warning: something other than Ralph changed rows of the database, which are written as they are: ${counts.join(", ")} ("ralph doctor" names them)\n`,
      );
      return;
    }
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

/** Nothing is said if nothing was at stake. */
function describeRescue(rescue: Rescue): string | undefined {
  switch (rescue.kind) {
    case "put-back":
      return rescue.keptAs === undefined
        ? "was removed while in use and has been restored"
        : `was replaced while in use and has been restored; what took its place is kept as ${rescue.keptAs}`;
    case "log-saved":
      return "lost its log while in use; nothing is missing";
    case "merged":
      return `was replaced by another copy while in use; what that copy lacked has been added (${rescue.added} new, ${rescue.replaced} newer rows)`;
    default:
      return undefined;
  }
}

export function printRedacted(kinds: readonly SecretKind[], terminal: Terminal): void {
  if (kinds.length > 0) terminal.talk(`Note: secrets were redacted before storing: ${kinds.join(", ")}\n`);
}
