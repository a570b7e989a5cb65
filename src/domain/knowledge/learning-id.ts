import type { RandomHex } from "./note-id.js";

/** `learn-` and twelve hexadecimal digits. */
export function newLearningId(random: RandomHex): string {
  return `learn-${random()}${random()}${random()}`;
}

export function isLearningId(id: string): boolean {
  return /^learn-[0-9a-f]+$/.test(id);
}
