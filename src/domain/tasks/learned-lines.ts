/** A list item, a quotation or bold type may be around it. */
const opening = /^[\s*_>-]*Learned:/i;
/** The whole line, unless a long message was cut right there: half a lesson may say the opposite. */
const pattern = /^[\s*_>-]*Learned:[\s*_]*(\S.*)$(?!\n\[… \d+ of \d+ characters left out …\])/gim;
const maxLines = 3;
const minLength = 12;
const maxLength = 300;

/** Whether a line tells what the agent learned. */
export function isLearnedLine(line: string): boolean {
  return opening.test(line);
}

/** What the agent learned, from lines that start with "Learned:". */
export function learnedLines(said: string): string[] {
  const lessons = [...said.matchAll(pattern)].map(([, text = ""]) => text.replace(/[*_]+$/, "").trim());
  return [...new Set(lessons)]
    .filter(({ length }) => length >= minLength && length <= maxLength)
    .slice(-maxLines);
}
