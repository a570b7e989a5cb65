/** A cut may leave half a secret, or a secret without the name before it; how far to look for a better place. */
const maxLine = 2000;
const maxToken = 8 * 1024;
const tokenAtStart = new RegExp(`^[!-~]{1,${maxToken}}`);

/** The end of a text that was cut at its start, from its first whole line, or else its first whole word. */
export function afterCut(text: string): string {
  const line = text.indexOf("\n");
  if (line !== -1 && line < Math.min(maxLine, text.length / 2)) return text.slice(line + 1);
  return text.replace(tokenAtStart, "");
}

/** The start of a text that was cut at its end, up to its last whole line, or else its last whole word. */
export function beforeCut(text: string): string {
  const line = text.lastIndexOf("\n");
  if (line !== -1 && text.length - line < Math.min(maxLine, text.length / 2)) return text.slice(0, line);
  return withoutLastToken(text);
}

function withoutLastToken(text: string): string {
  let end = text.length;
  const least = Math.max(0, end - maxToken);
  while (end > least && isTokenCharacter(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function isTokenCharacter(code: number): boolean {
  return code > 32 && code < 127;
}

/** At most so many characters of a text's end, without what the cut splits. */
export function endOf(text: string, length: number): string {
  return text.length <= length ? text : afterCut(text.slice(-length));
}

/** At most so many characters of a text's start, without what the cut splits. */
export function startOf(text: string, length: number): string {
  return text.length <= length ? text : withoutLastToken(text.slice(0, length)).trimEnd();
}
