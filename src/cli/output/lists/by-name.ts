import { oneLine } from "../terminal/printable.js";

/** Behind what somebody did; empty if nobody is known. */
export function byName(name: string | undefined): string {
  return name === undefined ? "" : `  by ${oneLine(name)}`;
}
