import type { Learning } from "../../domain/knowledge/learning.js";
import { sha256 } from "../../domain/sha256.js";
import type { Repositories } from "../../store/store.js";
import { fingerprint } from "../../text/fingerprint.js";

/**
 * The checksum of an exchange document: SHA-256, in hexadecimal, of its learnings as compact JSON. It depends on the order
 * of records and fields, so compute it from the same objects that are written or were read.
 */
export function checksumOf(learnings: readonly unknown[]): string {
  return sha256(JSON.stringify(learnings));
}

/**
 * The checksum of one record; the order of its fields does not matter. It shows that something other than Ralph changed the record,
 * which a short one does as well as SHA-256, whose code takes as long to load as a brief takes to make.
 */
export function recordChecksum(learning: Learning): string {
  return fingerprint(inOrder(learning));
}

/** Whether a stored record still matches its checksum. */
export function isIntact({ record, checksum }: { record: string; checksum: string }): boolean {
  try {
    return isIntactRow({ learning: JSON.parse(record) as Learning, checksum });
  } catch {
    return false;
  }
}

/** The same of a record that was parsed. */
export function isIntactRow({ learning, checksum }: { learning: Learning; checksum: string }): boolean {
  const text = inOrder(learning);
  return (checksum.length === sha256Length ? sha256(text) : fingerprint(text)) === checksum;
}

/** Of records that were written by versions up to 0.1. */
const sha256Length = 64;

function inOrder(learning: Learning): string {
  return JSON.stringify(withSortedKeys(learning));
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== "object" || value === null) return value;
  // Without a prototype: a field may have any name.
  const sorted: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(value).sort()) sorted[name] = withSortedKeys((value as typeof sorted)[name]);
  return sorted;
}

/** Ids of learnings that do not match their checksum, of all or only of these: something other than Ralph changed them. */
export async function findAltered(repositories: Repositories, ids?: readonly string[]): Promise<string[]> {
  if (ids?.length === 0) return [];
  const rows = await repositories.learnings.listRaw(ids);
  return rows.filter((row) => !isIntact(row)).map(({ id }) => id);
}
