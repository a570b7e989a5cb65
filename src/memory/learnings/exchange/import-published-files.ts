import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Learning } from "../../../domain/knowledge/learning.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { readFileSnapshot } from "../../../files/read-file.js";
import { saveChange } from "../../../semantic/exchange/exchange-learnings.js";
import { parseImport, parseStagingDocument } from "../../../semantic/exchange/learnings-document.js";
import type { Repositories } from "../../../store/store.js";
import { redactDeep } from "../../../text/secrets/redact.js";

const learningsFile = "ralph-learnings.json";
const stagingFile = "staging.json";

/** Whether a folder has learnings files of other tools. */
export function hasPublishedFiles(directory: string): boolean {
  return [learningsFile, stagingFile].some((name) => existsSync(join(directory, name)));
}

/** Imports the learnings and staging files of other tools; the files are not changed. */
export async function importPublishedFiles(tx: Repositories, directory: string): Promise<void> {
  const learnings = readLearnings(directory);
  const staged = readIfPresent(join(directory, stagingFile), parseStagingDocument) ?? [];
  for (const learning of learnings) await saveChange(tx, learning);
  for (const entry of staged)
    if ((await tx.stagedLearnings.find(entry.id)) === undefined)
      await tx.stagedLearnings.add(redactDeep(entry));
}

/** Reads the file, or its backup if it is damaged. */
function readLearnings(directory: string): Learning[] {
  const path = join(directory, learningsFile);
  try {
    return readIfPresent(path, parseImport) ?? [];
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "file-unusable") throw error;
    try {
      const recovered = readIfPresent(`${path}.bak`, parseImport);
      if (recovered !== undefined) return recovered;
    } catch {
      // The error in the file itself is more useful.
    }
    throw error;
  }
}

function readIfPresent<Content>(path: string, parse: (text: string) => Content): Content | undefined {
  const { bytes } = readFileSnapshot(path);
  if (bytes === undefined) return undefined;
  try {
    return parse(bytes.toString("utf8"));
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    throw new RalphError(error.code, `Cannot import ${path}: ${error.message}`, {
      hint: "nothing was imported; replace it with a good copy, or move it away",
      cause: error,
    });
  }
}
