import { RalphError } from "../domain/ralph-error.js";
import { readFileSnapshot } from "../files/read-file.js";
import { waitForWriter } from "../files/wait-for-writer.js";
import { type WrittenFile, writeAtomically } from "../files/writing/write-atomically.js";
import { replaceSection } from "./continuity-file.js";

const maxTries = 100;

/**
 * Writes the managed section; undefined when the file is up to date. The caller holds the write lock of the store, so only
 * people and other programs can write at the same time; their changes are kept.
 */
export async function writeContinuity(path: string, section: string): Promise<WrittenFile | undefined> {
  for (let attempt = 0; attempt < maxTries; attempt += 1) {
    await waitForWriter(path);
    const { bytes, stamp } = readFileSnapshot(path);
    const changed = replaceSection(bytes, section, path);
    if (bytes?.equals(changed)) return undefined;
    const written = writeAtomically(path, [changed], stamp);
    if (written.kind === "changed-meanwhile") continue;
    if (!written.hasLostWrite()) return written;
    written.restore();
  }
  throw new RalphError("file-unusable", `Something keeps writing to ${path}`, {
    hint: "stop it, then try again",
  });
}
