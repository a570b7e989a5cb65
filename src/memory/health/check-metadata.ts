import { dirname } from "node:path";
import { type NoteBlock, parseNotes } from "../../notes/parse.js";
import { askGit, runGit } from "../../processes/run-git.js";
import { hasStore } from "../../store/open-store.js";
import { redact } from "../../text/secrets/redact.js";
import { restoreMetadata } from "../notes/write-notes.js";
import type { OpenProject } from "../project/open-project.js";
import type { NotesFile, Place } from "../project/place.js";
import { filesOf } from "../project/place.js";
import { readNotesDocument } from "./check-notes-file.js";
import type { Finding } from "./finding.js";

/** A note without its metadata, and the line that it last had. */
interface LostMetadata {
  block: NoteBlock;
  metadata: Buffer;
  commit: string;
}

/** Finds notes that lost their tags and date, such as in a merge by hand; a repair puts back what is in git's history. */
export async function checkMetadata(
  session: OpenProject,
  place: Place,
  { repair }: { repair: boolean },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const file of filesOf(place)) {
    const document = readNotesDocument(session, file);
    const without = document?.blocks.filter(({ metadata }) => metadata === undefined) ?? [];
    const lost = without.length === 0 ? [] : await findInHistory(file, without);
    const canRepair = repair && document?.conflicts.length === 0 && hasStore(place.storeDirectory);
    if (canRepair && lost.length > 0) {
      const lines = new Map(lost.map(({ block, metadata }) => [block.note.id, metadata]));
      await session.write((shelf) => restoreMetadata(shelf, file, lines));
    }
    for (const { block, metadata, commit } of lost) {
      const where = `${file.path}, line ${block.line}: ${block.note.id}`;
      const line = `${metadata.toString("utf8")} of commit ${commit.slice(0, 10)}`;
      findings.push(
        canRepair
          ? { status: "repaired", detail: `${where} has its metadata back: ${line}` }
          : {
              status: "warning",
              detail: `${where} lost its metadata: ${line} (ralph doctor --repair puts it back)`,
            },
      );
    }
  }
  return findings;
}

const maxCommits = 200;
const maxBytes = 48 * 1024 * 1024;
const pathInTree = ".agent/memories.md";

async function findInHistory(file: NotesFile, without: readonly NoteBlock[]): Promise<LostMetadata[]> {
  const root = dirname(dirname(file.path));
  const listing = ["log", "--full-history", `--max-count=${maxCommits}`, "--format=%H", "--", pathInTree];
  const commits = (await runGit(root, ...listing))?.split("\n").filter(Boolean) ?? [];
  const missing = new Map(without.map((block) => [block.note.id, block]));
  const lost: LostMetadata[] = [];
  let bytesRead = 0;
  for (const commit of commits) {
    if (missing.size === 0 || bytesRead > maxBytes) break;
    const bytes = await askGit(root, "", "cat-file", "blob", `${commit}:${pathInTree}`);
    bytesRead += bytes?.length ?? 0;
    for (const { note, metadata } of bytes === undefined ? [] : parseNotes(bytes, { today: "" }).blocks) {
      const block = missing.get(note.id);
      if (block === undefined || bytes === undefined || metadata === undefined) continue;
      const line = bytes.subarray(metadata.start, metadata.end);
      lost.push({ block, metadata: withoutSecrets(withoutLineEnd(line)), commit });
      missing.delete(note.id);
    }
  }
  return lost;
}

/** History keeps what was taken out of the file since. */
function withoutSecrets(line: Buffer): Buffer {
  const { text, found } = redact(line.toString("utf8"));
  return found.length === 0 ? line : Buffer.from(text);
}

function withoutLineEnd(line: Buffer): Buffer {
  let end = line.length;
  while (end > 0 && (line[end - 1] === 10 || line[end - 1] === 13)) end -= 1;
  return line.subarray(0, end);
}
