const pattern = /^[\s*_>-]*Learned:[\s*_]*(\S.*)$/gim;
const most = 3;
const leastLength = 12;
const maxLength = 300;

/** What an agent says it learned, each on a line that begins with "Learned:". */
export function learnedLines(finalText: string): string[] {
  const said = [...finalText.matchAll(pattern)].map(([, text = ""]) => text.replace(/[*_]+$/, "").trim());
  return [...new Set(said)].filter(({ length }) => length >= leastLength && length <= maxLength).slice(-most);
}
