/** What PostgreSQL can keep: it refuses the character NUL. */
export function storableText(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}
