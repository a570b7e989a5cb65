import type { ExtractedLearning, Learning } from "../../domain/knowledge/learning.js";
import { isHabit, statementOf } from "../../domain/knowledge/statement.js";
import type { Repositories } from "../../store/store.js";
import { contentStems } from "../../words/word-weight.js";
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

const denial = /\b(?:instead of|rather than|no longer|never|do(?:es)? not|don't|not)\b([^.;]{0,80})/gi;
/** An option, a setting, a call, a path or a version: something that only one remedy has. */
const overNow =
  /([^.;:]{0,60})\b(?:(?:is|are|was|were) (?:gone|removed|dropped|closed|refused|forbidden|retired|deprecated|dead)|no longer (?:works?|exists?|allowed|supported)|does not (?:work|exist) any ?more)\b/gi;
const telling = /(?:--?)?[A-Za-z][\w]*(?:[-._=:/@][\w]+)+|\b[A-Za-z]\w*_\w+|\b[a-z]+[A-Z]\w+/g;
const leastSharedWords = 2;

/** Whether a newer statement says, about the same topic, that an older remedy is not to be used. */
export function deniesRemedy(newer: string, older: { problem: string; remedy: string }): boolean {
  const denied = [...newer.matchAll(denial), ...newer.matchAll(overNow)].flatMap(
    ([, text = ""]) => text.match(telling) ?? [],
  );
  const named = denied.filter((token) => older.remedy.includes(token));
  if (named.length === 0) return false;
  const without = (text: string) => stemsOf(named.reduce((rest, token) => rest.replaceAll(token, " "), text));
  const topic = without(newer);
  const shared = [...without(`${older.problem} ${older.remedy}`)].filter((word) => topic.has(word));
  return shared.length >= leastSharedWords;
}

function stemsOf(text: string): Set<string> {
  return new Set(contentStems(text, { shortest: 3 }));
}
