/** The name of the merge driver in Git's configuration and attributes. */
export const driverName = "ralph-notes";

export const notesPath = ".agent/memories.md";

/** What tells Git to merge the notes file with the driver. */
export const attributeLine = `${notesPath} merge=${driverName}`;

/** The text of `.gitattributes` with the line at its end; undefined stands for no file. */
export function addAttribute(text: string | undefined): string {
  if (text === undefined) return `${attributeLine}\n`;
  if (hasAttribute(text)) return text;
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  // A file without a newline at its end gets none: that is how it is told from others when the line is taken out.
  return text.endsWith("\n") ? `${text}${attributeLine}${lineEnd}` : `${text}${lineEnd}${attributeLine}`;
}

/** The reverse: the text as it was before; undefined if there was no file. */
export function removeAttribute(text: string): string | undefined {
  const found = findAttribute(text);
  if (found === undefined) return text;
  const [before, after] = [text.slice(0, found.start), text.slice(found.end)];
  if (after === "") return before.replace(/\r?\n$/, "");
  const rest = after.replace(/^\r?\n/, "");
  return rest === "" && before === "" ? undefined : before + rest;
}

export function hasAttribute(text: string): boolean {
  return findAttribute(text) !== undefined;
}

function findAttribute(text: string): { start: number; end: number } | undefined {
  for (
    let start = text.indexOf(attributeLine);
    start !== -1;
    start = text.indexOf(attributeLine, start + 1)
  ) {
    const end = start + attributeLine.length;
    const isLineStart = start === 0 || text[start - 1] === "\n";
    if (isLineStart && /^(?:\r?\n|$)/.test(text.slice(end, end + 2))) return { start, end };
  }
  return undefined;
}
