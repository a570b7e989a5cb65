import type { LearningType } from "../../domain/knowledge/learning.js";
import type { Repositories } from "../../store/store.js";

/** Types that rest on a few tasks; estimates and conventions summarise hundreds. */
const citing: readonly LearningType[] = ["strategy", "antipattern", "pattern", "fact"];

/** Tasks that other records refer to; they are not archived. */
export async function listReferenced(tx: Repositories): Promise<ReadonlySet<string>> {
  const linked = [...(await tx.links.listTargets())].map((id) => id.split("/")[0] ?? id);
  return new Set([...(await tx.tasks.listRelated()), ...(await tx.learnings.listSources(citing)), ...linked]);
}
