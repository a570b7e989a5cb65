import type { StagedLearning } from "../../domain/knowledge/learning.js";
import type { StagedLearnings } from "../../store/repositories/knowledge/staged-learnings.js";

/** Where findings wait: as it is stored, or as it will be. */
export type StagingArea = Pick<StagedLearnings, "list" | "listAwaiting" | "find" | "add" | "save" | "remove">;

/** The staging area, read at once; what changes is seen at once, and only what is left of it in the end is written. */
export async function readStagingArea(
  stored: StagingArea,
): Promise<StagingArea & { write(): Promise<void> }> {
  const before = new Map((await stored.list()).map((entry) => [entry.id, entry]));
  // In the order in which they were added.
  const now = new Map(before);
  const list = (isListed: (entry: StagedLearning) => boolean) => [...now.values()].filter(isListed);
  const added = new Set<string>();
  return {
    list: async (status) => list((entry) => status === undefined || entry.status === status),
    listAwaiting: async () =>
      list(({ status, awaitsEvidence }) => status === "pending" && awaitsEvidence === true),
    find: async (id) => now.get(id),
    async add(entry) {
      added.add(entry.id);
      now.set(entry.id, entry);
    },
    async save(entry) {
      now.set(entry.id, entry);
    },
    async remove(id) {
      added.delete(id);
      now.delete(id);
    },
    async write() {
      for (const id of before.keys()) if (!now.has(id) || added.has(id)) await stored.remove(id);
      for (const [id, entry] of now) {
        if (added.has(id)) await stored.add(entry);
        else if (entry !== before.get(id)) await stored.save(entry);
      }
    },
  };
}
