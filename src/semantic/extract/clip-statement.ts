const maxLength = 160;

/** A text as one short statement: a line, its first sentence when it is long; nothing when it says next to nothing. */
export function clipStatement(text: string): string | undefined {
  const line = text.replace(/\s+/g, " ").trim();
  // Scripts without spaces say more in fewer characters.
  if (line.length <= (/[\u3000-\uffff]/.test(line) ? 2 : 10)) return undefined;
  if (line.length <= maxLength) return line;
  const sentence = /^.{20,}?[.!?](?=\s)/.exec(line)?.[0] ?? line;
  if (sentence.length <= maxLength) return sentence;
  const cut = sentence.slice(0, maxLength);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), maxLength / 2)).trimEnd()}…`;
}
