import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isoDate } from "../../domain/clock.js";
import { notesLimits } from "../../domain/knowledge/note.js";
import { RalphError } from "../../domain/ralph-error.js";
import { readFileSnapshot, refuseUtf16 } from "../../files/read-file.js";
import { type NoteBlock, type NotesDocument, parseNotes } from "../../notes/parse.js";
import { askGit, runGit } from "../../processes/run-git.js";
import { hasStore } from "../../store/open-store.js";
import type { Repositories } from "../../store/store.js";
import { counted } from "../../text/counted.js";
import { redact } from "../../text/secrets/redact.js";
import { rebuildIndex } from "../derived/rebuild-index.js";
import { indexDocument, maxIndexedLength, unindexNote } from "../notes/index-notes.js";
import { syncFile, syncLargeFiles } from "../notes/sync-notes.js";
import { restoreMetadata } from "../notes/write-notes.js";
import type { OpenProject } from "../project/open-project.js";
import { filesOf, type NotesFile, type Place, type StoreContext } from "../project/place.js";
import { describeError, type Finding, ok } from "./finding.js";

export function checkNotesFile(project: OpenProject, file: NotesFile): Finding[] {
  const document = readNotesDocument(project, file);
  if (document === undefined) return [ok(`${file.path}: not created yet`)];
  return [
    ok(`${file.path}: ${counted(document.blocks.length, "note")}`),
    ...document.blocks
      .filter(({ note }) => note.content.length > maxIndexedLength)
      .map(({ note, line }): Finding => {
        const detail = `${file.path}, line ${line}: ${note.id} is longer than 1 MB: only its beginning can be found`;
        return { status: "warning", detail };
      }),
    ...document.conflicts.map(({ line, message }): Finding => {
      return { status: "failed", detail: `${file.path}, line ${line}: ${message}` };
    }),
    ...document.problems.map(({ line, message }): Finding => {
      return { status: "warning", detail: `${file.path}, line ${line}: ${message}` };
    }),
  ];
}

function readNotesDocument({ clock }: OpenProject, file: NotesFile): NotesDocument | undefined {
  const start = { maxBytes: notesLimits.bytes, isCut: true };
  const { bytes, fileBytes } = readFileSnapshot(file.path, start);
  if (bytes !== undefined) refuseUtf16(bytes, file.path);
  return bytes && parseNotes(bytes, { today: isoDate(clock()), fileBytes });
}

/** Compares every note with its file, regardless of stamps, and drops files that no longer exist. */
export async function checkIndex(project: OpenProject, place: Place): Promise<Finding[]> {
  if (!hasStore(place.storeDirectory)) return [ok("nothing to index yet")];
  const opened = await project.openStore(place);
  try {
    // A team's index is checked with its server.
    await opened.store.onThisMachine().transaction((tx) => tx.lexical.verify());
    await syncLargeFiles(opened);
    const changed = await opened.store.transaction((tx) => reindexAll(tx, project, opened), {
      side: "local",
    });
    const dropped = await opened.store.transaction((tx) => dropMissingFiles(tx, project, place), {
      side: "local",
    });
    const findings: Finding[] = [];
    if (changed > 0)
      findings.push({
        status: "repaired",
        detail: `${counted(changed, "note")} differed from the file and indexed again`,
      });
    if (dropped > 0)
      findings.push({
        status: "repaired",
        detail: `${counted(dropped, "file")} of removed worktrees dropped`,
      });
    return findings.length > 0 ? findings : [ok("up to date")];
  } catch (error) {
    if (!(error instanceof RalphError) || error.code !== "index-damaged") throw error;
    const { notes } = await rebuildIndex(opened);
    return [
      { status: "repaired", detail: `rebuilt with ${counted(notes, "note")} (${describeError(error)})` },
    ];
  }
}

async function reindexAll(tx: Repositories, project: OpenProject, opened: StoreContext): Promise<number> {
  let changed = 0;
  for (const file of filesOf(opened.place)) {
    const { fileId } = await syncFile(tx, opened, file);
    const document = readNotesDocument(project, file);
    if (document !== undefined) changed += await indexDocument(tx, opened, fileId, document);
  }
  return changed;
}

async function dropMissingFiles(
  tx: Repositories,
  { home, owner }: OpenProject,
  place: Place,
): Promise<number> {
  const ours = filesOf(place).map((file) => file.name);
  const gone = (await tx.noteFiles.list()).filter(({ path }) => {
    return owner === "project" && !ours.includes(path) && !existsSync(resolve(home, path));
  });
  for (const { fileId } of gone) {
    for (const { id } of await tx.notes.listPrints(fileId)) await unindexNote(tx, fileId, id);
    await tx.noteFiles.remove(fileId);
  }
  return gone.length;
}

/** A note without its metadata, and the line that it last had. */
interface LostMetadata {
  block: NoteBlock;
  metadata: Buffer;
  commit: string;
}

/** Finds notes that lost their tags and date, such as in a merge by hand; a repair puts back what is in git's history. */
export async function checkMetadata(
  project: OpenProject,
  place: Place,
  { repair }: { repair: boolean },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const file of filesOf(place)) {
    const document = readNotesDocument(project, file);
    const without = document?.blocks.filter(({ metadata }) => metadata === undefined) ?? [];
    const lost = without.length === 0 ? [] : await findInHistory(file, without);
    const canRepair = repair && document?.conflicts.length === 0 && hasStore(place.storeDirectory);
    if (canRepair && lost.length > 0) {
      const lines = new Map(lost.map(({ block, metadata }) => [block.note.id, metadata]));
      await project.write((opened) => restoreMetadata(opened, file, lines));
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
