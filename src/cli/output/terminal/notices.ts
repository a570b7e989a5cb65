import type { Notice } from "../../../memory/notice.js";
import { trustHint } from "../../../memory/project/project-trust.js";
import { counted } from "../../../text/counted.js";
import type { SecretKind } from "../../../text/secrets/mark.js";
import type { TrustRequest } from "../../../trust/request.js";
import { oneLine } from "./style.js";
import type { Terminal } from "./terminal.js";

/** Prints a notice to stderr. */
export function printNotice(notice: Notice, terminal: Terminal): void {
  if (notice.kind === "embedding") {
    showProgress("Embedding", notice, terminal, notice.done === notice.total);
  } else if (notice.kind === "indexing") {
    showProgress(`Indexing ${notice.what}`, notice, terminal, notice.done + 1000 > notice.total);
  } else for (const line of linesOf(notice)) terminal.talk(`${line}\n`);
}

interface Progress {
  done: number;
  total: number;
}

function showProgress(what: string, { done, total }: Progress, terminal: Terminal, isDone: boolean): void {
  if (terminal.isTalkWatched) terminal.talk(`\r${what}: ${done} of ${total}${isDone ? "\n" : ""}`);
}

function linesOf(notice: Exclude<Notice, { kind: "embedding" | "indexing" }>): string[] {
  switch (notice.kind) {
    case "malformed-notes":
      return notice.problems.map(
        ({ line, message }) => `Warning: ${notice.path}, line ${line}: ${message}; left unchanged`,
      );
    case "notes-removed":
      return [
        `Note: ${notice.ids.join(", ")} disappeared from ${notice.path}; if you did not delete them, an editor or git restored an older copy: their text is in ${notice.log}`,
      ];
    case "notes-unusable":
      return [`Warning: continuing without notes: ${notice.message}`];
    case "unusable-skill":
      return [`Warning: ${notice.message}; skipped`];
    case "index-rebuilt":
      return [`Note: the search index in ${notice.path} was damaged and has been rebuilt`];
    case "index-in-memory":
      return [`Note: ${notice.path} is not writable; every command has to rebuild the index`];
    case "database-lost":
      return [
        `Warning: ${notice.path} was replaced while in use; records that this process had just written to it are lost`,
      ];
    case "database-restored":
      return [`Warning: ${notice.path} was removed while in use and has been restored`];
    case "settings-unusable":
      return [
        `Warning: ${notice.message}; ${notice.isLeftOut ? "going on without it" : "keeping the previous settings"}`,
      ];
    case "left-out":
      return [`Note: ${leftOut(notice.requests)} (${trustHint})`];
    case "setting-refused":
      return [`Note: ${notice.key} is honoured only in your own ralph.yml; ignored here`];
    case "store-away":
      return [
        `Note: ${notice.message}; ${notice.isKept ? "new records are queued on this machine until a command can connect" : "continuing with what is on this machine"}`,
      ];
    case "store-waited-for":
      return ["Note: lost the connection to the team's store; waiting for it"];
    case "outbox-delivered":
      return [
        ...notice.tasks.map(({ from, to }) => `Note: ${from} was delivered to the store, and is ${to} there`),
        ...(notice.delivered > 0
          ? [`Note: delivered ${counted(notice.delivered, "queued record")} to the team's store`]
          : []),
        ...notice.refused.map((why) => `Warning: the team's store refused a queued record: ${oneLine(why)}`),
      ];
    case "backup-failed":
      return [`Warning: the backup failed: ${notice.message}`];
    case "embedder-unusable":
      return [`Warning: searching by words only: ${notice.message}${notice.hint && ` (${notice.hint})`}`];
  }
}

function leftOut(requests: readonly TrustRequest[]): string {
  const names = requests.map(({ kind, name, value }) => (kind === "link" ? `${name} → ${value}` : name));
  return `left out, because this project is not trusted: ${oneLine(names.join(", "))}`;
}

export function printRedacted(kinds: readonly SecretKind[], terminal: Terminal): void {
  if (kinds.length > 0) terminal.talk(`Note: secrets were redacted before storing: ${kinds.join(", ")}\n`);
}
