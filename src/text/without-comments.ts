/** A text without comments of Markdown, which templates of issues are full of. */
export function withoutComments(text: string): string {
  return text.replace(/<!--[\s\S]*?-->/g, " ");
}
