/** Removes HTML comments, which issue templates are full of. */
export function withoutComments(text: string): string {
  return text.includes("<!--") ? text.replace(/<!--[\s\S]*?-->/g, " ") : text;
}
