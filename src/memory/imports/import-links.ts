import { RalphError } from "../../domain/ralph-error.js";
import { numberOfTaskId } from "../../domain/tasks/task.js";
import { addLinkIn } from "../../semantic/records/link-records.js";
import type { Repositories } from "../../store/store.js";
import { linkableKinds } from "./foreign-record.js";
import type { Entry, EntryOf, ImportResult, ImportRun } from "./import-run.js";

/** Links imported records; a link to a missing record is stored for writing it back. */
export async function importLinks(
  tx: Repositories,
  run: ImportRun,
  entries: readonly EntryOf<"link">[],
): Promise<Map<Entry, ImportResult>> {
  const { layout, report, now } = run;
  const ids = entries.flatMap(({ record: { record } }) => [record.from, record.to]);
  const ownIds = await resolveForeign(tx, layout, [...new Set(ids)]);
  const results = new Map<Entry, ImportResult>();
  for (const entry of entries) {
    const { from, to, relation } = entry.record.record;
    const [own, other] = [ownIds.get(from), ownIds.get(to)];
    if (own === undefined || other === undefined) {
      report.dangling.push({ from, to, relation });
      const missing = own === undefined ? from : to;
      results.set(entry, { outcome: "skipped", why: `there is no record ${missing}` });
      continue;
    }
    const recordId = `${own} ${relation} ${other}`;
    try {
      const isNew =
        own !== other &&
        (await addLinkIn(tx, { from: own, to: other, relation, created: now.toISOString() }));
      results.set(entry, { outcome: isNew ? "added" : "present", recordId });
    } catch (error) {
      if (!(error instanceof RalphError) || error.code !== "wrong-use") throw error;
      results.set(entry, { outcome: "skipped", why: error.message });
    }
  }
  return results;
}

/** The ids of records here, by their original ids. */
export async function resolveForeign(
  tx: Repositories,
  layout: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const rows = await tx.foreignRecords.listByIds(layout, ids);
  for (const kind of linkableKinds)
    for (const { foreignId, recordId, kind: own } of rows)
      if (own === kind && recordId !== undefined && !recordId.startsWith("stage-") && !found.has(foreignId))
        found.set(foreignId, recordId);
  for (const id of ids) if (!found.has(id) && (await isOwn(tx, id))) found.set(id, id);
  return found;
}

async function isOwn(tx: Repositories, id: string): Promise<boolean> {
  if (id.startsWith("learn-")) return (await tx.learnings.find(id)) !== undefined;
  if (id.startsWith("mem-")) return tx.notes.isIdTaken(id);
  const number = numberOfTaskId(id);
  return number !== undefined && (await tx.tasks.find(number)) !== undefined;
}
