import type { Learning } from "../../domain/knowledge/learning.js";
import { sha256 } from "../../domain/sha256.js";

/**
 * The checksum of an exchange document: SHA-256, in hexadecimal, of its learnings as compact JSON. It depends on the order
 * of records and fields, so compute it from the same objects that are written or were read.
 */
export function checksumOf(learnings: readonly unknown[]): string {
  return sha256(JSON.stringify(learnings));
}

/** The checksum of one record; the order of its fields does not matter. */
export function recordChecksum(learning: Learning): string {
  return sha256(JSON.stringify(withSortedKeys(learning)));
}

/** Whether a stored record still matches its checksum. */
export function isIntact({ record, checksum }: { record: string; checksum: string }): boolean {
  try {
    return recordChecksum(JSON.parse(record) as Learning) === checksum;
  } catch {
    return false;
  }
}

/** The same of a record that was parsed. */
export function isIntactRow({ learning, checksum }: { learning: Learning; checksum: string }): boolean {
  return recordChecksum(learning) === checksum;
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [name, withSortedKeys(field)]));
}
