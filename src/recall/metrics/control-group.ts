import { createHash } from "node:crypto";

/** Whether a task is in the control group: each task is with probability `share`, and always gets the same answer. */
export function isControlTask(uuid: string, share: number): boolean {
  if (share <= 0) return false;
  const fraction = createHash("sha256").update(uuid).digest().readUInt32BE(0) / 2 ** 32;
  return fraction < share;
}
