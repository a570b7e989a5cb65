import type { ExtractedLearning, Learning } from "../../domain/knowledge/learning.js";
import { isHabit, statementOf } from "../../domain/knowledge/statement.js";
import type { Repositories } from "../../store/store.js";
import { deniesRemedy } from "../replace/denied-remedy.js";
import { relationToOlder } from "../replace/relation-to-older.js";
import type { KnownLearnings } from "./known-learnings.js";

const replaceableTypes = ["convention", "pattern", "fact", "strategy"];

/** Links a new learning to older ones that it clearly supersedes or contradicts. */
export async function linkToOlder(
  tx: Pick<Repositories, "links">,
  known: KnownLearnings,
  newer: Learning,
  now: string,
): Promise<void> {
  // What is usually done replaces nothing that somebody said.
  if (isHabit(newer)) return;
  await retireDenied(tx, known, newer, now);
  if (!replaceableTypes.includes(newer.type)) return;
  for (const older of await known.listSimilar(newer)) {
    if (older.id === newer.id || older.taskType !== newer.taskType) continue;
    const relation = relationToOlder(statementOf(older), statementOf(newer));
    if (relation === undefined) continue;
    await tx.links.ensure({ from: newer.id, to: older.id, relation, created: now });
    if (relation === "supersedes") known.put({ ...older, superseded_by: newer.id });
  }
}

/** Reads what a new learning may deny, together with what else is read. */
export async function readDenied(known: KnownLearnings, found: ExtractedLearning): Promise<void> {
  await Promise.all(denialsOf(found).map((denial) => known.listSimilar(denial, { isWide: true })));
}

/** "Limit the workers instead of raising --heap": whatever advises to raise --heap for that is over. */
async function retireDenied(
  tx: Pick<Repositories, "links">,
  known: KnownLearnings,
  newer: Learning,
  now: string,
): Promise<void> {
  await readDenied(known, newer);
  const said = saidBy(newer);
  for (const denial of denialsOf(newer)) {
    for (const older of await known.listSimilar(denial, { isWide: true })) {
      if (older.id === newer.id) continue;
      const remedy = saidBy(older);
      if (remedy === said || !deniesRemedy(said, { problem: statementOf(older), remedy })) continue;
      await tx.links.ensure({ from: newer.id, to: older.id, relation: "supersedes", created: now });
      known.put({ ...older, superseded_by: newer.id });
    }
  }
}

const denying =
  /\b(?:instead of|rather than|no longer|never|not|n't|gone|removed|dropped|closed|refused|retired)\b/i;

/** What a learning says, as statements of the types that advise something; none if it denies nothing. */
function denialsOf(newer: ExtractedLearning): ExtractedLearning[] {
  const said = saidBy(newer);
  if (!denying.test(said)) return [];
  return (["antipattern", "strategy"] as const).map((type) => ({
    ...newer,
    type,
    content: { description: said },
  }));
}

function saidBy(learning: ExtractedLearning): string {
  return learning.content.prevention ?? statementOf(learning);
}
