const pattern = /^[\s*_>-]*Learned:[\s*_]*(\S.*)$/gim;
const maxLines = 3;
const minLength = 12;
const maxLength = 300;

/** What the agent learned, from lines that start with "Learned:". */
export function learnedLines(finalText: string): string[] {
  const lessons = [...finalText.matchAll(pattern)].map(([, text = ""]) => text.replace(/[*_]+$/, "").trim());
  return [...new Set(lessons)]
    .filter(({ length }) => length >= minLength && length <= maxLength)
    .slice(-maxLines);
}
