import type { ExtractedLearning, Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { learningKind } from "../../search/documents/learning-labels.js";
import { parseQuestion } from "../../search/question.js";
import { searchRecords } from "../../search/search-records.js";
import type { Repositories } from "../../store/store.js";
import { compareStatements, sameStatement } from "../../words/compare/similarity.js";
import { statementWords } from "../../words/compare/statement-words.js";
import { isComparedByKey, statementKey } from "./statement-key.js";

const maxCandidates = 20;

/**
 * The learning of the same type that says the same, preferably one that is not superseded; only estimates differ by task type.
 * Different failures are never the same, however alike their messages.
 */
export async function findDuplicate(
  tx: Repositories,
  found: ExtractedLearning,
): Promise<Learning | undefined> {
  const taskType = found.type === "estimate" ? found.taskType : undefined;
  const [equal] = await tx.learnings.listByLikeness(found.type, statementKey(found), taskType);
  if (equal !== undefined || isComparedByKey(found)) return equal?.learning;
  const bag = statementWords(statementOf(found));
  for (const candidate of await listSimilar(tx, found)) {
    if (isComparedByKey(candidate)) continue;
    if (compareStatements(bag, statementWords(statementOf(candidate))) >= sameStatement) return candidate;
  }
  return undefined;
}

/** Current learnings of the same type with a similar statement, best match first; `isWide` finds those that share less. */
export async function listSimilar(
  tx: Repositories,
  found: ExtractedLearning,
  { isWide = false }: { isWide?: boolean } = {},
): Promise<Learning[]> {
  const hits = await searchRecords(tx.lexical, {
    question: parseQuestion(statementOf(found)),
    kind: learningKind,
    sources: [""],
    labelGroups: [[`type:${found.type}`], ["state:shown"]],
    limit: maxCandidates,
    // Duplicates share their rarest words.
    enough: isWide ? maxCandidates : 1,
    isExact: true,
  });
  const rows = await Promise.all(hits.map(({ id }) => tx.learnings.find(id)));
  return rows.flatMap((row) => (row === undefined ? [] : [row.learning]));
}
