import { sha256 } from "../../domain/sha256.js";

/** Whether a task is in the control group: each task is with probability `share`, and always gets the same answer. */
export function isControlTask(uuid: string, share: number): boolean {
  if (share <= 0) return false;
  const fraction = Number.parseInt(sha256(uuid).slice(0, 8), 16) / 2 ** 32;
  return fraction < share;
}
