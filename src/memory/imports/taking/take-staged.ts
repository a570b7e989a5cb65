import type { StagedLearning } from "../../../domain/knowledge/learning.js";
import type { Repositories } from "../../../store/store.js";
import type { EntryOf, Taken } from "./taking.js";

/** What waited elsewhere waits here: a review of another project counts for nothing. */
export async function takeStaged(
  tx: Repositories,
  { record: { record }, known }: EntryOf<"staged">,
): Promise<Taken> {
  const here = await tx.stagedLearnings.find(record.id);
  if (here === undefined && known !== undefined)
    return { outcome: "present", recordId: known.recordId ?? record.id };
  const entry = awaiting(record);
  if (here === undefined) await tx.stagedLearnings.add(entry);
  else if (known === undefined || here.status !== "pending") return { outcome: "present", recordId: here.id };
  else await tx.stagedLearnings.save({ ...entry, id: here.id });
  return { outcome: here === undefined ? "added" : "updated", recordId: entry.id };
}

function awaiting({ validatedAt: _at, awaitsEvidence: _evidence, ...entry }: StagedLearning): StagedLearning {
  const learning = { ...entry.learning, origin: "import" as const };
  return { ...entry, learning, status: entry.status === "validated" ? "pending" : entry.status };
}
