import type { ExtractedLearning, Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { learningKind } from "../../search/documents/learning-labels.js";
import { parseQuestion } from "../../search/question.js";
import { searchRecords } from "../../search/search-records.js";
import type { Repositories } from "../../store/store.js";
import { compareStatements, sameStatement } from "../../words/compare/similarity.js";
import { statementWords } from "../../words/compare/statement-words.js";
import { isIntactRow } from "../integrity/checksum.js";
import { statementKey } from "./statement-key.js";

const maxCandidates = 20;

/** The intact learning of the same type and task type that says the same, preferably one that is not superseded. */
export async function findDuplicate(
  tx: Repositories,
  found: ExtractedLearning,
): Promise<Learning | undefined> {
  const alike = await tx.learnings.listByLikeness(found.type, found.taskType, statementKey(found));
  const equal = alike.find(isIntactRow);
  if (equal !== undefined || found.type === "estimate") return equal?.learning;
  const bag = statementWords(statementOf(found));
  for (const candidate of await listSimilar(tx, found)) {
    if (candidate.taskType !== found.taskType) continue;
    if (compareStatements(bag, statementWords(statementOf(candidate))) >= sameStatement) return candidate;
  }
  return undefined;
}

/** Current, intact learnings of the same type with a similar statement, best match first. */
export async function listSimilar(tx: Repositories, found: ExtractedLearning): Promise<Learning[]> {
  const hits = await searchRecords(tx.lexical, {
    question: parseQuestion(statementOf(found)),
    kind: learningKind,
    sources: [""],
    labelGroups: [[`type:${found.type}`], ["state:shown"]],
    limit: maxCandidates,
    // Duplicates share their rarest words.
    enough: 1,
    isExact: true,
  });
  const rows = await Promise.all(hits.map(({ id }) => tx.learnings.find(id)));
  return rows.flatMap((row) => (row !== undefined && isIntactRow(row) ? [row.learning] : []));
}
