import { sha256 } from "../../domain/sha256.js";

export const knowledgeFiles = {
  learnings: "knowledge/ralph-learnings.json",
  staged: "knowledge/staging.json",
} as const;

export const backupFile = `${knowledgeFiles.learnings}.bak`;

/** SHA-256 of the list as compact JSON, so the order of fields is part of it. */
export function checksumOf(list: readonly unknown[]): string {
  return sha256(JSON.stringify(list));
}
