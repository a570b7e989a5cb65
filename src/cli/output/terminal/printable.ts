import { controlCharacters, replacementCharacter } from "../../../text/control-characters.js";

/** Text without characters that could do something to a screen. */
export function printable(text: string): string {
  return text.replace(controlCharacters, replacementCharacter);
}

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text.replace(/\s*\n\s*/g, " ⏎ ").replaceAll("\t", " "));
}
