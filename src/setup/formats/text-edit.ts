import { RalphError } from "../../domain/ralph-error.js";

/** An error with the line of a problem; `withFileName` adds the file's name. */
export function problemAt(text: string, offset: number, message: string, hint?: string): RalphError {
  return problemInLine(text.slice(0, offset).split("\n").length, message, hint);
}

export function problemInLine(
  line: number,
  message: string,
  hint = "correct it; nothing was changed",
): RalphError {
  return new RalphError("file-unusable", `line ${line}: ${message}`, { hint });
}

export function withFileName<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RalphError) || error.message.includes(path)) throw error;
    const { code, hint } = error;
    throw new RalphError(code, `${path}, ${error.message}`, { cause: error, ...(hint && { hint }) });
  }
}

/** Where the line of a place begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

export function lineEndOf(text = ""): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

/** Adds lines at the end of a text, after an empty line; undefined stands for no file. */
export function appendLines(text: string | undefined, lines: readonly string[]): string {
  const lineEnd = lineEndOf(text);
  const span = lines.join(lineEnd);
  if (text === undefined) return span + lineEnd;
  // A file without a newline at its end gets none, so that `cutSpan` can restore it.
  const isClosed = text === "" || text.endsWith("\n");
  return isClosed ? text + lineEnd + span + lineEnd : text + lineEnd + lineEnd + span;
}

/** Undoes `appendLines`, whatever was added after it; undefined if there was no file. */
export function cutSpan(text: string, { start, end }: { start: number; end: number }): string | undefined {
  const [before, rest] = [text.slice(0, start), text.slice(end)];
  if (before === "" && /^\r?\n?$/.test(rest)) return undefined;
  if (rest === "") return before.replace(/\r?\n\r?\n$/, "");
  return before.replace(/(^|\n)\r?\n$/, "$1") + rest.replace(/^\r?\n/, "");
}
