import type { Learning } from "../../domain/knowledge/learning.js";
import { isHabit, statementOf } from "../../domain/knowledge/statement.js";
import type { Repositories } from "../../store/store.js";
import { contentStems } from "../../words/word-weight.js";
import { relationToOlder } from "../replace/relation-to-older.js";
import { listSimilar } from "./find-duplicate.js";
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
    if (relation !== undefined) await link(tx, { newer, older, relation }, now);
  }
}

const denying =
  /\b(?:instead of|rather than|no longer|never|not|n't|gone|removed|dropped|closed|refused|retired)\b/i;

/** "Limit the workers instead of raising --heap" supersedes whatever advises to raise --heap for that. */
async function retireDenied(tx: Repositories, newer: Learning, now: string): Promise<void> {
  const said = adviceIn(newer);
  if (!denying.test(said)) return;
  for (const type of ["antipattern", "strategy"] as const) {
    const wanted = { ...newer, type, content: { description: said } };
    for (const older of await listSimilar(tx, wanted, { isWide: true })) {
      const remedy = adviceIn(older);
      if (older.id === newer.id || remedy === said) continue;
      if (deniesRemedy(said, { problem: statementOf(older), remedy }))
        await link(tx, { newer, older, relation: "supersedes" }, now);
    }
  }
}

function adviceIn(learning: Learning): string {
  return learning.content.prevention ?? statementOf(learning);
}

async function link(
  tx: Repositories,
  { newer, older, relation }: { newer: Learning; older: Learning; relation: "supersedes" | "contradicts" },
  created: string,
): Promise<void> {
  await tx.links.ensure({ from: newer.id, to: older.id, relation, created });
  if (relation === "supersedes") await saveLearning(tx, { ...older, superseded_by: newer.id });
}

const denial = /\b(?:instead of|rather than|no longer|never|do(?:es)? not|don't|not)\b([^.;]{0,80})/gi;
const overNow =
  /([^.;:]{0,60})\b(?:(?:is|are|was|were) (?:gone|removed|dropped|closed|refused|forbidden|retired|deprecated|dead)|no longer (?:works?|exists?|allowed|supported)|does not (?:work|exist) any ?more)\b/gi;
/** An option, a setting, a call, a path or a version: something that only one remedy has. */
const telling = /(?:--?)?[A-Za-z][\w]*(?:[-._=:/@][\w]+)+|\b[A-Za-z]\w*_\w+|\b[a-z]+[A-Z]\w+/g;
const leastSharedWords = 2;

/** Whether a newer statement says, about the same topic, that an older remedy is not to be used. */
export function deniesRemedy(newer: string, older: { problem: string; remedy: string }): boolean {
  const denied = [...newer.matchAll(denial), ...newer.matchAll(overNow)].flatMap(
    ([, text = ""]) => text.match(telling) ?? [],
  );
  const named = denied.filter((token) => older.remedy.includes(token));
  if (named.length === 0) return false;
  const stemsWithout = (text: string) =>
    new Set(
      contentStems(
        named.reduce((rest, token) => rest.replaceAll(token, " "), text),
        { shortest: 3 },
      ),
    );
  const topic = stemsWithout(newer);
  const shared = [...stemsWithout(`${older.problem} ${older.remedy}`)].filter((word) => topic.has(word));
  return shared.length >= leastSharedWords;
}
