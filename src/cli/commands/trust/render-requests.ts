import { withoutControls } from "../../../text/control-characters.js";
import type { TrustRequest } from "../../../trust/request.js";

/**
 * Each request with everything it contains: nothing of it may be cut, begin a line of its own, or be hidden, not even what looks
 * like a secret, because a command may be written so that a part of it does.
 */
export function renderRequests(requests: readonly TrustRequest[]): string {
  return requests
    .map(({ name, value, effect }) => `  ${inOneLine(name)}: ${effect}\n    ${inOneLine(value)}\n`)
    .join("");
}

function inOneLine(text: string): string {
  return withoutControls(text.replaceAll("\n", "⏎"));
}
