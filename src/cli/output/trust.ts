import type { TrustRequest } from "../../trust/request.js";
import { printable } from "./terminal/printable.js";

/** Each request with everything it contains: nothing of it may be cut. */
export function renderRequests(requests: readonly TrustRequest[]): string {
  return requests
    .map(({ name, value, effect }) => `  ${printable(name)}: ${effect}\n    ${printable(value)}\n`)
    .join("");
}
