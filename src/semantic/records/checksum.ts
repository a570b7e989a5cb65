import { createHash } from "node:crypto";
import type { Learning } from "../../domain/knowledge/learning.js";

/**
 * The checksum of a whole store: SHA-256, in hexadecimal, of the learnings as compact JSON. The order of records and of
 * their fields is part of it, so it is made from the very objects that are written or were read.
 */
export function checksumOf(learnings: readonly unknown[]): string {
  return sha256(JSON.stringify(learnings));
}

/** The checksum of one record, whatever order its fields are in. */
export function recordChecksum(learning: Learning): string {
  return sha256(JSON.stringify(sorted(learning)));
}

/** Whether a record is still what it was when its checksum was made. */
export function isIntact({ record, checksum }: { record: string; checksum: string }): boolean {
  try {
    return recordChecksum(JSON.parse(record) as Learning) === checksum;
  } catch {
    return false;
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [name, sorted(field)]));
}
