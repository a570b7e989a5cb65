import { withoutControls } from "../../text/control-characters.js";

/** A text as the page shows it first: its beginning, if it is long. */
export interface ShownText {
  text: string;
  /** Of the whole text, in characters. */
  length: number;
  isClipped: boolean;
}

const maxFirstText = 4000;
const maxFirstLines = 80;

export function shownText(text: string, max = maxFirstText): ShownText {
  const lines = text.slice(0, max).split("\n");
  const shown = lines.slice(0, maxFirstLines).join("\n");
  return { text: shown, length: text.length, isClipped: text.length > shown.length };
}

/** Every text in a value without what could move a cursor or turn the direction of writing. */
export function asText<Value>(value: Value): Value {
  if (typeof value === "string") return withoutControls(value) as Value;
  if (Array.isArray(value)) return value.map(asText) as Value;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [withoutControls(name), asText(field)]),
  ) as Value;
}
