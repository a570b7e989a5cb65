import type { ExtractedLearning, Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { compareStatements, sameStatement } from "../../words/compare/similarity.js";
import { statementWords } from "../../words/compare/statement-words.js";
import { isComparedByKey } from "../records/statement-key.js";
import type { KnownLearnings } from "./known-learnings.js";

/**
 * The learning of the same type that says the same, preferably one that is not superseded. Different failures are never the
 * same, however alike their messages.
 */
export async function findDuplicate(
  known: KnownLearnings,
  found: ExtractedLearning,
): Promise<Learning | undefined> {
  const [equal] = await known.listEqual(found);
  if (equal !== undefined || isComparedByKey(found)) return equal;
  const bag = statementWords(statementOf(found));
  for (const candidate of await known.listSimilar(found)) {
    if (isComparedByKey(candidate)) continue;
    if (compareStatements(bag, statementWords(statementOf(candidate))) >= sameStatement) return candidate;
  }
  return undefined;
}
