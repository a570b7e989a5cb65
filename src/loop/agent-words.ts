import { isLearnedLine } from "../domain/tasks/agent-text.js";

const maxLength = 280;
/** A longer text is the log of an agent that prints everything: what it did is summed up at its end. */
const maxMessage = 2000;

/** The agent's own words for what it did, in one or two sentences; empty if it said nothing. */
export function wordsOf(finalText: string): string {
  const paragraphs = finalText
    .replace(/```[\s\S]*?(?:```|$)/g, "\n\n")
    .split("\n")
    .map((line) => (isFormal(line) ? "" : line.replace(/^[\s>#*_-]+/, "").trim()))
    .join("\n")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter((paragraph) => /\p{L}{2}/u.test(paragraph));
  return firstSentences((finalText.length > maxMessage ? paragraphs.at(-1) : paragraphs[0]) ?? "");
}

/** Lines that Ralph asked for. */
function isFormal(line: string): boolean {
  return /<promise>/i.test(line) || isLearnedLine(line);
}

function firstSentences(text: string): string {
  if (text.length <= maxLength) return text;
  const clipped = text.slice(0, maxLength);
  const end = clipped.search(/[.!?](?=\s[^.!?]*$)/);
  return end > 0 ? clipped.slice(0, end + 1) : `${clipped.slice(0, clipped.lastIndexOf(" "))} …`;
}
