import { recordBrief } from "../../../semantic/credit-brief.js";
import type { Repositories } from "../../../store/store.js";
import type { Recall } from "../../recall/recall-input.js";

/** Records what a task was shown, to credit its outcome; for a control task, what it would have been shown. */
export async function recordRecall(
  tx: Repositories,
  { taskId, isHoldout, isMeasured, records }: Pick<Recall, "taskId" | "isHoldout" | "isMeasured" | "records">,
  now: string | Promise<string>,
): Promise<void> {
  if (taskId === undefined || (records.length === 0 && !isMeasured)) return;
  await recordBrief(tx, { task_id: taskId, isHoldout, records }, now);
}
