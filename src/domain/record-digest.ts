import { fingerprint } from "../text/fingerprint.js";
import { isObject } from "./shape.js";

/** Fields that are derived from others or depend on when the record is shown. */
const leftOut: Readonly<Record<string, readonly string[]>> = {
  // Tasks name each other by numbers that may change until all of them are imported.
  task: ["related_tasks"],
  staged: ["reason"],
  ledger: ["stale"],
  note: ["id", "origin", "created"],
};

/** A digest of a record, independent of the order of its fields. */
export function recordDigest(kind: string, record: unknown): string {
  const names = leftOut[kind] ?? [];
  const fields = isObject(record)
    ? Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
    : record;
  return fingerprint(JSON.stringify(inOrder(fields)));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, field]) => [name, inOrder(field)]));
}
