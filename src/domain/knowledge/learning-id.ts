import type { RandomHex } from "./note-id.js";

/** `learn-` and twelve hexadecimal digits. */
export function newLearningId(random: RandomHex): string {
  return `learn-${random()}${random()}${random()}`;
}
