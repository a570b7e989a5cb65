import { redact } from "../../../text/secrets/redact.js";
import type { TrustRequest } from "../../../trust/request.js";
import { printable } from "../../output/terminal/printable.js";

/** Each request with everything it contains, but secrets: nothing of it may be cut. */
export function renderRequests(requests: readonly TrustRequest[]): string {
  return requests
    .map(
      ({ name, value, effect }) => `  ${printable(name)}: ${effect}\n    ${printable(redact(value).text)}\n`,
    )
    .join("");
}
