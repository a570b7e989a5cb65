import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Learning } from "../../../domain/knowledge/learning.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { readFileSnapshot } from "../../../files/read-file.js";
import { saveChange } from "../../../semantic/exchange/exchange-learnings.js";
import { parseImport } from "../../../semantic/exchange/parse-import.js";
import { parseStagingDocument } from "../../../semantic/staging/staging-document.js";
import type { Repositories } from "../../../store/store.js";
import { redactDeep } from "../../../text/secrets/redact.js";

const learningsFile = "ralph-learnings.json";
const stagingFile = "staging.json";

/** Whether a folder holds learnings in the files that other tools write. */
export function hasPublishedFiles(directory: string): boolean {
  return [learningsFile, stagingFile].some((name) => existsSync(join(directory, name)));
}

/** Takes the learnings and the staging area over from the files that other tools write; the files stay as they are. */
export async function importPublishedFiles(tx: Repositories, directory: string): Promise<void> {
  const learnings = readLearnings(directory);
  const staged = readIfThere(join(directory, stagingFile), parseStagingDocument) ?? [];
  for (const learning of learnings) await saveChange(tx, learning);
  for (const entry of staged)
    if ((await tx.stagedLearnings.find(entry.id)) === undefined)
      await tx.stagedLearnings.add(redactDeep(entry));
}

/** From the file, or from its own backup when the file is damaged. */
function readLearnings(directory: string): Learning[] {
  const path = join(directory, learningsFile);
  try {
    return readIfThere(path, parseImport) ?? [];
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "file-unusable") throw error;
    try {
      const recovered = readIfThere(`${path}.bak`, parseImport);
      if (recovered !== undefined) return recovered;
    } catch {
      // The fault in the file itself says more than the one in its backup.
    }
    throw error;
  }
}

function readIfThere<Content>(path: string, parse: (text: string) => Content): Content | undefined {
  const { bytes } = readFileSnapshot(path);
  if (bytes === undefined) return undefined;
  try {
    return parse(bytes.toString("utf8"));
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    throw new RalphError(error.code, `Cannot take over ${path}: ${error.message}`, {
      hint: "nothing was imported; put a good copy in its place, or move it away",
      cause: error,
    });
  }
}
