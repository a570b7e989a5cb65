/** Lines at the end of a text, with an empty line before them; undefined stands for no file. */
export function appendSpan(text: string | undefined, lines: readonly string[]): string {
  const lineEnd = lineEndOf(text);
  const span = lines.join(lineEnd);
  if (text === undefined) return span + lineEnd;
  // A file without a newline at its end gets none: that is how it is told from others when the span is cut out.
  const isClosed = text === "" || text.endsWith("\n");
  return isClosed ? text + lineEnd + span + lineEnd : text + lineEnd + lineEnd + span;
}

/** The reverse: the text as it was before, whatever follows by now; undefined if there was no file. */
export function cutSpan(text: string, { start, end }: { start: number; end: number }): string | undefined {
  const [before, rest] = [text.slice(0, start), text.slice(end)];
  if (before === "" && /^\r?\n?$/.test(rest)) return undefined;
  if (rest === "") return before.replace(/\r?\n\r?\n$/, "");
  return before.replace(/(^|\n)\r?\n$/, "$1") + rest.replace(/^\r?\n/, "");
}

export function lineEndOf(text = ""): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}
