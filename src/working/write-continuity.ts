import { RalphError } from "../domain/ralph-error.js";
import { readFileSnapshot } from "../files/read-file.js";
import type { SharedFile } from "../files/shared/kept-entries.js";
import { type ReplacedFile, replaceShared } from "../files/shared/replace-shared.js";
import { settleShared } from "../files/shared/settle-shared.js";
import { waitForWriter } from "../files/wait-for-writer.js";
import { replaceSection } from "./continuity-file.js";

const maxTries = 100;

/**
 * Writes the managed section; `isChanged` is false when the file is up to date. The caller holds the write lock of the
 * store, so only people and other programs can write at the same time; their changes are kept.
 */
export async function writeContinuity(
  file: SharedFile,
  section: string,
): Promise<{ isChanged: boolean; written: ReplacedFile[] }> {
  const written: ReplacedFile[] = [];
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    written.push(...(await settleContinuity(file)));
    await waitForWriter(file.path);
    const snapshot = readFileSnapshot(file.path);
    const changed = replaceSection(snapshot.bytes, section, file.path);
    if (snapshot.bytes?.equals(changed)) return { isChanged: false, written };
    const result = await replaceShared(file, [changed], snapshot);
    if (result.kind === "written") return { isChanged: true, written: [...written, result] };
  }
  throw new RalphError("file-unusable", `Something keeps writing to ${file.path}`, {
    hint: "stop it, then try again",
  });
}

/** Merges what people wrote to a continuity file that Ralph replaced meanwhile. */
export async function settleContinuity(file: SharedFile): Promise<ReplacedFile[]> {
  const written = await settleShared(file, async (...versions) => {
    const { mergeContinuity } = await import("./merging/merge-continuity.js");
    return mergeContinuity(...versions);
  });
  return written === undefined ? [] : [written];
}
