import { withoutControls } from "../../../text/control-characters.js";

/** Replaces control characters, which a terminal would interpret. */
export function printable(text: string): string {
  return withoutControls(text);
}

/** Printable text on one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s*\n\s*/g, " ⏎ ").replaceAll("\t", " "));
}

/** The codes that Ralph itself writes: to draw over its last line, and to make a heading bold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose
const ownCodes = /(^\r(?:\u001b\[K)?|\u001b\[1m[^\u0000-\u001f\u007f-\u009f]*\u001b\[0m)/;

/** Text for a screen or a pipe with no control characters but Ralph's own. */
export function printableOutput(text: string): string {
  if (!text.includes("\u001b") && !text.startsWith("\r")) return printable(text);
  return text
    .split(ownCodes)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("");
}

// Both cases are spelled out: to ignore case, the ranges of all scripts would have to be folded, which takes a millisecond.
const letterOfAnyScript = String.raw`[hHaA\u00aa-\u1fff\ua000-\ud7ff\uff00-\uffef]`;
const mayBeMarkup = new RegExp(
  [
    // The metadata of a note is none.
    "<(?!!-- tags: )|[＜﹤≮˂ᐸ❮ᚲ]",
    String.raw`&(?:[aA][mM][pP];)*(?:[lL][tT]|#)|\\[uUxX]0*3[cC]|%3[cC]`,
    String.raw`[[\uff3b][^\]\uff3d]{0,20}(?:[iI][nN][sS][tT]|[sS][yY][sS]|[tT][oO][oO][lL]|[^\u0000-\u007f])`,
    String.raw`^[^a-zA-Z\n]{0,30}${letterOfAnyScript}[^\n:\uff1a]{3,30}[:\uff1a]`,
  ].join("|"),
  "m",
);

/** Whether text may contain what a model takes for a chat format's markup; a quick look that errs on the safe side. */
export function mayBeChatMarkup(text: string): boolean {
  return mayBeMarkup.test(text);
}
