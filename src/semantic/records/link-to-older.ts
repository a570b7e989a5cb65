import type { Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import type { Repositories } from "../../store/store.js";
import { deniesRemedy } from "../replace/denied-remedy.js";
import { relationToOlder } from "../replace/relation-to-older.js";
import { listSimilar } from "./find-duplicate.js";
import { isHabit } from "./statement-key.js";
import { saveLearning } from "./write-learning.js";

const replaceableTypes = ["convention", "pattern", "fact", "strategy"];

/** Links a new learning to older ones that it clearly supersedes or contradicts. */
export async function linkToOlder(tx: Repositories, newer: Learning, now: string): Promise<void> {
  // What is usually done replaces nothing that somebody said.
  if (isHabit(newer)) return;
  await retireDenied(tx, newer, now);
  if (!replaceableTypes.includes(newer.type)) return;
  for (const older of await listSimilar(tx, newer)) {
    if (older.id === newer.id || older.taskType !== newer.taskType) continue;
    const relation = relationToOlder(statementOf(older), statementOf(newer));
    if (relation === undefined) continue;
    await tx.links.add({ from: newer.id, to: older.id, relation, created: now });
    if (relation === "supersedes") await saveLearning(tx, { ...older, superseded_by: newer.id });
  }
}

/** "Limit the workers instead of raising --heap": whatever advises to raise --heap for that is over. */
async function retireDenied(tx: Repositories, newer: Learning, now: string): Promise<void> {
  const said = newer.content.prevention ?? statementOf(newer);
  if (
    !/\b(?:instead of|rather than|no longer|never|not|n't|gone|removed|dropped|closed|refused|retired)\b/i.test(
      said,
    )
  )
    return;
  for (const type of ["antipattern", "strategy"] as const) {
    const asStatement = { ...newer, type, content: { description: said } };
    for (const older of await listSimilar(tx, asStatement, { isWide: true })) {
      if (older.id === newer.id || older.superseded_by !== undefined) continue;
      const remedy = older.content.prevention ?? statementOf(older);
      if (remedy === said || !deniesRemedy(said, { problem: statementOf(older), remedy })) continue;
      await tx.links.add({ from: newer.id, to: older.id, relation: "supersedes", created: now });
      await saveLearning(tx, { ...older, superseded_by: newer.id });
    }
  }
}
