import { statSync } from "node:fs";
import { RalphError } from "../domain/ralph-error.js";
import { withFileErrors } from "../files/file-problem.js";
import { readFileSnapshot } from "../files/read-file.js";

export const maxSkillBytes = 1024 * 1024;

/** The text of a skill's file; nothing when there is no file. */
export function findSkillText(path: string): string | undefined {
  const stats = withFileErrors(path, () => statSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw new RalphError("file-unusable", `Not an ordinary file: ${path}`);
  if (stats.size > maxSkillBytes) {
    const size = (stats.size / 1024 / 1024).toFixed(1);
    throw new RalphError("file-unusable", `A skill may have 1 MB, and ${path} has ${size} MB`, {
      hint: "move what is long into files beside it",
    });
  }
  const { bytes } = readFileSnapshot(path);
  return bytes && decode(bytes, path);
}

function decode(bytes: Buffer, path: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  throw new RalphError("file-unusable", `Not text in UTF-8: ${path}`, {
    hint: "a skill is a Markdown file",
  });
}
