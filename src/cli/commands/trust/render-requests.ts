import { withoutControls } from "../../../text/control-characters.js";
import type { TrustRequest } from "../../../trust/request.js";
import { shownValue } from "./shown-value.js";

/** Each request with everything it contains: nothing of it may be cut, or begin a line of its own. */
export function renderRequests(requests: readonly TrustRequest[]): string {
  return requests
    .map(
      (request) => `  ${inOneLine(request.name)}: ${request.effect}\n    ${inOneLine(shownValue(request))}\n`,
    )
    .join("");
}

function inOneLine(text: string): string {
  return withoutControls(text.replaceAll("\n", "⏎"));
}
