import { RalphError } from "../domain/ralph-error.js";

/** What is wrong with a text, and in which line; whoever knows the file's name adds it with `withFileName`. */
export function problemAt(text: string, offset: number, message: string, hint?: string): RalphError {
  return new RalphError("file-unusable", `line ${lineAt(text, offset)}: ${message}`, {
    hint: hint ?? "correct it; nothing was changed",
  });
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

export function withFileName<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RalphError) || error.message.includes(path)) throw error;
    throw new RalphError(error.code, `${path}, ${error.message}`, {
      cause: error,
      ...(error.hint !== undefined && { hint: error.hint }),
    });
  }
}
