import { createHash } from "node:crypto";

/** Whether a task belongs to the control group, of which so large a share of all tasks is part; the same each time. */
export function isControlTask(uuid: string, share: number): boolean {
  if (share <= 0) return false;
  const drawn = createHash("sha256").update(uuid).digest().readUInt32BE(0) / 2 ** 32;
  return drawn < share;
}
