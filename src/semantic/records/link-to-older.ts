import type { Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import type { Repositories } from "../../store/store.js";
import { relationToOlder } from "../replace/relation-to-older.js";
import { listSimilar } from "./find-duplicate.js";
import { saveLearning } from "./write-learning.js";

const replaceableTypes = ["convention", "pattern", "fact", "strategy"];

/** Links a new learning to older ones that it clearly supersedes or contradicts. */
export async function linkToOlder(tx: Repositories, newer: Learning, now: string): Promise<void> {
  if (!replaceableTypes.includes(newer.type)) return;
  for (const older of await listSimilar(tx, newer)) {
    if (older.id === newer.id || older.taskType !== newer.taskType) continue;
    const relation = relationToOlder(statementOf(older), statementOf(newer));
    if (relation === undefined) continue;
    await tx.links.add({ from: newer.id, to: older.id, relation, created: now });
    if (relation === "supersedes") await saveLearning(tx, { ...older, superseded_by: newer.id });
  }
}
