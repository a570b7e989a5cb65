import { clipAtWord } from "../../text/clip-at-word.js";

const maxLength = 160;

/** Shortens a text to one line, or to its first sentence; undefined when it is too short to mean anything. */
export function clipStatement(text: string): string | undefined {
  const line = text.replace(/\s+/g, " ").trim();
  // Scripts without spaces need fewer characters.
  if (line.length <= (/[\u3000-\uffff]/.test(line) ? 2 : 10)) return undefined;
  if (line.length <= maxLength) return line;
  const sentence = /^.{20,}?[.!?](?=\s)/.exec(line)?.[0] ?? line;
  return clipAtWord(sentence, maxLength);
}
