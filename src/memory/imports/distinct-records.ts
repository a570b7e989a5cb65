import { fingerprint } from "../../text/fingerprint.js";
import { redactDeep } from "../../text/secrets/redact.js";
import type { ForeignRecord } from "./foreign-record.js";
import { shortId } from "./short-id.js";

/**
 * Makes records without secrets, and with an id of its own for each: a file may have one id twice, and two that were secrets are
 * the same without them. Of each id only a number is kept, since there may be millions.
 */
export function makeDistinct(): (record: ForeignRecord) => ForeignRecord {
  const seen = new Set<number>();
  return (given) => {
    const safe = redactDeep(given);
    const numberOf = (id: string) => Number.parseInt(fingerprint(`${safe.kind} ${id}`), 16);
    let id = shortId(safe.id);
    for (let count = 2; seen.has(numberOf(id)); count += 1) id = shortId(`${safe.id} (${count})`);
    seen.add(numberOf(id));
    return { ...safe, id };
  };
}
