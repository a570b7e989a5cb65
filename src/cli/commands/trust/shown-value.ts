import { shownAddress } from "../../../text/secrets/shown-address.js";
import type { TrustRequest } from "../../../trust/request.js";

const addressSettings = ["store.url", "embedder.address", "reflector.address"];

/**
 * Everything that a request contains: nothing of it may be hidden, not even what looks like a secret, because a command may be
 * written so that a part of it does. Only the password of an address changes nothing about what is allowed.
 */
export function shownValue({ kind, name, value }: TrustRequest): string {
  if (kind !== "setting" || !addressSettings.includes(name)) return value;
  return JSON.stringify(shownAddress(JSON.parse(value) as string));
}
