import { redactDeep } from "./redact.js";
import { shownAddress } from "./shown-address.js";

/** Settings as they may be printed: no secret, and no password of an address. */
export function shownSettings<Settings extends object>(settings: Settings): Settings {
  const shown = Object.entries(settings).map(([key, value]) => [
    key,
    typeof value === "string" ? shownAddress(value) : value,
  ]);
  return redactDeep(Object.fromEntries(shown) as Settings);
}
