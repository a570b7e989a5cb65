import { controlCharacters, replacementCharacter } from "../../../text/control-characters.js";

/** Replaces control characters, which a terminal would interpret. */
export function printable(text: string): string {
  return text.replace(controlCharacters, replacementCharacter);
}

/** Printable text on one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s*\n\s*/g, " ⏎ ").replaceAll("\t", " "));
}
