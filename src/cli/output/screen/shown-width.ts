import { displayWidth } from "../terminal/display-width.js";

// biome-ignore lint/suspicious/noControlCharactersInRegex: codes of colors
export const styleCode = /\u001b\[([\d;]*)m/g;

/** Number of terminal columns that a text with colors takes. */
export function shownWidth(text: string): number {
  return displayWidth(text.replace(styleCode, ""));
}
