import { RalphError } from "../domain/ralph-error.js";
import { findStats } from "../files/find-stats.js";
import { readFileSnapshot } from "../files/read-file.js";
import { decodeUtf8 } from "../text/decode-utf8.js";

export const maxSkillBytes = 1024 * 1024;

/** The text of a skill file; undefined when it does not exist. */
export function findSkillText(path: string): string | undefined {
  const stats = findStats(path);
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new RalphError("file-unusable", `Not an ordinary file: ${path}`);
  if (stats.size > maxSkillBytes) {
    const size = (stats.size / 1024 / 1024).toFixed(1);
    throw new RalphError("file-unusable", `A skill file may have up to 1 MB; ${path} has ${size} MB`, {
      hint: "move long parts into other files of its folder",
    });
  }
  const { bytes } = readFileSnapshot(path, { maxBytes: maxSkillBytes });
  return bytes && decode(bytes, path);
}

/** Adds the path to errors that do not mention it. */
export async function withPathInErrors<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RalphError) || error.message.includes(path)) throw error;
    const { code, message, hint } = error;
    throw new RalphError(code, `${path}: ${message}`, { ...(hint && { hint }), cause: error });
  }
}

function decode(bytes: Buffer, path: string): string {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return text;
  throw new RalphError("file-unusable", `Not a UTF-8 text file: ${path}`, {
    hint: "a skill is a Markdown file",
  });
}
