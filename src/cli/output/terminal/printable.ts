import { withoutControls } from "../../../text/control-characters.js";

/** Text on one line, without control characters. */
export function oneLine(text: string): string {
  return withoutControls(text.replace(/\s*\n\s*/g, " ⏎ ").replaceAll("\t", " "));
}

/** The codes that Ralph itself writes: to draw over its last line, and those of `style`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose
const ownCodes = /(^\r(?:\u001b\[K)?|\u001b\[[1-3;]{1,4}m[^\u0000-\u001f\u007f-\u009f]*\u001b\[0m)/;

/** Text for a screen or a pipe with no control characters but Ralph's own. */
export function printableOutput(text: string): string {
  if (!text.includes("\u001b") && !text.startsWith("\r")) return withoutControls(text);
  return text
    .split(ownCodes)
    .map((part, index) => (index % 2 === 1 ? part : withoutControls(part)))
    .join("");
}
