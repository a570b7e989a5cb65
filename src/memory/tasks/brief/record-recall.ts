import { recordBrief } from "../../../semantic/records/credit-brief.js";
import type { Repositories } from "../../../store/store.js";
import type { Recall } from "../../recall/recall-input.js";

/** Keeps what a task was shown, so that its outcome can be credited; of a control task, what it was spared. */
export async function recordRecall(
  tx: Repositories,
  { taskId, isHoldout, isMeasured, records }: Recall,
  now: string,
): Promise<void> {
  if (taskId === undefined || (records.length === 0 && !isMeasured)) return;
  await recordBrief(tx, { task_id: taskId, created: now, isHoldout, records });
}
