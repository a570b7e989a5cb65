/** Removes HTML comments, which issue templates are full of. */
export function withoutComments(text: string): string {
  return !text.includes("<!--") ? text : text.replace(/<!--[\s\S]*?-->/g, " ");
}
