/** Whether a piece of JSON has comments in it: outside of strings, nothing else has a slash. */
export function hasComments(text: string): boolean {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").includes("/");
}
