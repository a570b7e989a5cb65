import { clipAtWord } from "../../../text/clip-at-word.js";
import { oneLine } from "../terminal/printable.js";

const maxLength = 500;

/** What a task is about, on one line of a list: it may be as long as a file, and `ralph task show` has all of it. */
export function listedObjective(text: string): string {
  return oneLine(clipAtWord(text, maxLength));
}
