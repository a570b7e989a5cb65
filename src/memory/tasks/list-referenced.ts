import type { LearningType } from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";

/** Estimates and conventions sum up hundreds of tasks; the others stand on what a few of them say. */
const citing: readonly LearningType[] = ["strategy", "antipattern", "pattern", "fact"];

/** The tasks that something which is shown refers to, so that they are not archived. */
export async function listReferenced(tx: Repositories): Promise<ReadonlySet<string>> {
  const linked = [...(await tx.links.listTargets())].map((id) => id.split("/")[0] ?? id);
  return new Set([...(await tx.tasks.listRelated()), ...(await tx.learnings.listSources(citing)), ...linked]);
}
