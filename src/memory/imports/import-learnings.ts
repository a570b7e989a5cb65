import type { Learning } from "../../domain/knowledge/learning.js";
import { newLearningId } from "../../domain/knowledge/record-ids.js";
import { recordDigest } from "../../domain/record-digest.js";
import { importLearnings } from "../../semantic/exchange/import-learnings.js";
import { addLearning, replaceLearning, statementKey } from "../../semantic/records/write-learning.js";
import { instructionIn } from "../../semantic/staging/validate-learning.js";
import type { Repositories } from "../../store/store.js";
import { deletedHere, type Entry, type EntryOf, type ImportResult, type ImportRun } from "./import-run.js";

const outcomes = { added: "added", merged: "updated", unchanged: "present", skipped: "skipped" } as const;

/**
 * Learnings that equal one of this project are merged into it; those of one foreign store stay separate. Of two with the same id and
 * different content, the later one counts.
 */
export async function importForeignLearnings(
  tx: Repositories,
  run: ImportRun,
  entries: readonly EntryOf<"learning">[],
): Promise<Map<Entry, ImportResult>> {
  const { report, isReviewed, now, layout, project } = run;
  const results = new Map<Entry, ImportResult>();
  const joining = new Map<string, EntryOf<"learning">>();
  const twins: EntryOf<"learning">[] = [];
  for (const entry of entries) {
    const learning = ownLearning(entry);
    if (joining.has(learning.id)) {
      twins.push(entry);
      continue;
    }
    const here = (await tx.learnings.find(learning.id))?.learning;
    if (here === undefined && isLearningId(entry.known?.recordId)) results.set(entry, deletedHere);
    else if (here === undefined || statementKey(here) === statementKey(learning) || mustWait(learning))
      joining.set(learning.id, entry);
    else {
      const isUnchangedHere = entry.known?.digest === recordDigest("learning", here);
      const kept = isUnchangedHere || isLater(learning, here) ? "theirs" : "ours";
      await supersede(tx, { ours: here, theirs: learning, kept }, () => newLearningId(project.random));
      report.superseded.push({ id: entry.record.id, record: here.id, kept });
      results.set(entry, { outcome: "superseded", recordId: here.id });
    }
  }
  if (joining.size === 0) return results;
  const apart = new Set([...joining.keys(), ...(await tx.foreignRecords.listRecordIds(layout, "learning"))]);
  const set = (learning: Learning, result: ImportResult) => {
    const entry = joining.get(learning.id);
    if (entry !== undefined) results.set(entry, result);
  };
  const { staged } = await importLearnings(tx, [...joining.values()].map(ownLearning), {
    isReviewed,
    now,
    isApart: (id) => apart.has(id),
    onJoined: (learning, outcome, recordId) =>
      set(learning, {
        outcome: outcomes[outcome],
        ...(outcome === "skipped" ? { why: "it was deleted or rejected here" } : { recordId }),
      }),
    onStaged: (learning, recordId) => set(learning, { outcome: "waiting", recordId }),
  });
  const reasons = new Map(staged.map(({ id, reason }) => [id, reason]));
  for (const [{ record }, { outcome, recordId = "" }] of results)
    if (outcome === "waiting")
      report.waiting.push({ id: record.id, staged: recordId, reason: reasons.get(recordId) ?? "" });
  // If an id occurs twice, the first one is stored by now.
  for (const [entry, result] of await importForeignLearnings(tx, run, twins)) results.set(entry, result);
  return results;
}

/** Under its id here. */
function ownLearning({ record: { record }, known }: EntryOf<"learning">): Learning {
  return isLearningId(known?.recordId) ? { ...record, id: known?.recordId ?? record.id } : record;
}

function isLearningId(id: string | undefined): boolean {
  return id?.startsWith("learn-") ?? false;
}

function mustWait(learning: Learning): boolean {
  return instructionIn(learning) !== undefined;
}

/** The later version keeps the id and supersedes the other one. */
async function supersede(
  tx: Repositories,
  { ours, theirs, kept }: { ours: Learning; theirs: Learning; kept: "ours" | "theirs" },
  newId: () => string,
): Promise<void> {
  const other: Learning = kept === "ours" ? { ...theirs, origin: "import" } : ours;
  if (kept === "theirs") await replaceLearning(tx, { ...theirs, origin: "import" });
  await addLearning(tx, { ...other, id: newId(), superseded_by: ours.id });
}

function isLater(one: Learning, other: Learning): boolean {
  return Date.parse(one.updatedAt) > Date.parse(other.updatedAt);
}
