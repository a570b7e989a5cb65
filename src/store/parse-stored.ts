import { RalphError } from "../domain/ralph-error.js";

/** Reads JSON that Ralph stored; if it cannot be read, something else changed it. An index can be rebuilt at once. */
export function parseStored(
  text: string,
  code: "store-damaged" | "index-damaged" = "store-damaged",
): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new RalphError(code, "A stored record is damaged", {
      hint: 'run "ralph doctor --repair", which takes it from a backup',
      cause,
    });
  }
}
