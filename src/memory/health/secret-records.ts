import type { Learning } from "../../domain/knowledge/learning.js";
import { isIntact, recordChecksum } from "../../semantic/records/checksum.js";
import { statementKey } from "../../semantic/records/write-learning.js";
import type { ChangeRecord } from "../../store/store.js";
import { packText, unpackText } from "../../store/stored-text.js";
import type { SecretKind } from "../../text/secrets/mark.js";
import { redactDeepInto } from "../../text/secrets/redact.js";

type Row = Parameters<ChangeRecord>[1];
type Changes = ReturnType<ChangeRecord>;

/** What a record is without its secrets; their kinds are added to `found`, by the column that held them. */
export function redactingRecords(found: Map<string, Set<SecretKind>>): ChangeRecord {
  return (table, row) => {
    const changes: Changes = {};
    for (const [column, value] of Object.entries(row)) {
      const kinds = new Set<SecretKind>();
      const safe = withoutSecrets(table, value, kinds);
      if (safe === undefined || kinds.size === 0) continue;
      changes[column] = safe;
      const place = `${table}.${column}`;
      found.set(place, new Set([...(found.get(place) ?? []), ...kinds]));
    }
    return table === "learnings" ? { ...changes, ...withChecksum(row, changes) } : changes;
  };
}

/** Undefined when nothing has to change. */
function withoutSecrets(table: string, value: Row[string], kinds: Set<SecretKind>): Row[string] | undefined {
  if (table === "packed_actions" && value instanceof Uint8Array) {
    const safe = redactText(unpackText(value), kinds);
    return safe && packText(safe);
  }
  return typeof value === "string" ? redactText(value, kinds) : undefined;
}

function redactText(text: string, kinds: Set<SecretKind>): string | undefined {
  const value = /^[[{]/.test(text) ? parsed(text) : undefined;
  const safe =
    value === undefined ? redactDeepInto(text, kinds) : JSON.stringify(redactDeepInto(value, kinds));
  return kinds.size > 0 && safe !== text ? safe : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A learning that was intact stays so, and is compared by its new words. */
function withChecksum({ record, checksum }: Row, changes: Changes): Changes {
  if (typeof changes.record !== "string" || typeof record !== "string" || typeof checksum !== "string")
    return {};
  const learning = JSON.parse(changes.record) as Learning;
  return {
    likeness: keyOf(learning),
    ...(isIntact({ record, checksum }) && { checksum: recordChecksum(learning) }),
  };
}

/** Another program may have written anything. */
function keyOf(learning: Learning): string {
  try {
    return statementKey(learning);
  } catch {
    return "";
  }
}
