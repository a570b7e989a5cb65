import type { ExtractedLearning, Learning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { parseQuestion } from "../../search/question.js";
import { learningKind } from "../../search/record-kinds.js";
import { searchRecords } from "../../search/search-records.js";
import type { Repositories } from "../../store/store.js";
import { sameStatement, similarity } from "../../words/similarity.js";
import { isComparedByKey, statementKey } from "./write-learning.js";

const maxCandidates = 20;

/** The learning that a finding strengthens. A pattern that repeats a strategy strengthens the strategy. */
export async function findKnown(tx: Repositories, found: ExtractedLearning): Promise<Learning | undefined> {
  const same = await findDuplicate(tx, found);
  if (same !== undefined || found.type !== "pattern") return same;
  return findDuplicate(tx, { ...found, type: "strategy" });
}

/**
 * The learning of the same type that says the same, preferably one that is not superseded. Different failures are never the
 * same, however alike their messages.
 */
export async function findDuplicate(
  tx: Repositories,
  found: ExtractedLearning,
): Promise<Learning | undefined> {
  const [equal] = await listEqual(tx, found);
  if (equal !== undefined || isComparedByKey(found)) return equal;
  return (await listSimilar(tx, found)).find((candidate) => saysTheSame(found, candidate));
}

export function saysTheSame(one: ExtractedLearning, other: ExtractedLearning): boolean {
  if (one.type !== other.type || (one.type === "estimate" && one.taskType !== other.taskType)) return false;
  if (statementKey(one) === statementKey(other)) return true;
  if (isComparedByKey(one) || isComparedByKey(other)) return false;
  return similarity(statementOf(one), statementOf(other)) >= sameStatement;
}

/** Learnings of the same type with the same key, current ones first; only estimates differ by task type. */
async function listEqual({ learnings }: Repositories, found: ExtractedLearning): Promise<Learning[]> {
  const rows = await learnings.listByLikenesses([statementKey(found)]);
  return rows
    .map(({ learning }) => learning)
    .filter(
      ({ type, taskType }) => type === found.type && (type !== "estimate" || taskType === found.taskType),
    )
    .sort((one, other) => Number(isSuperseded(one)) - Number(isSuperseded(other)));
}

/** Current learnings of the same type with a similar statement, best match first; `isWide` finds those that share less. */
export async function listSimilar(
  { lexical, learnings }: Repositories,
  found: ExtractedLearning,
  { isWide = false }: { isWide?: boolean } = {},
): Promise<Learning[]> {
  const hits = await searchRecords(lexical, {
    question: parseQuestion(statementOf(found)),
    kind: learningKind,
    sources: [""],
    labelGroups: [[`type:${found.type}`], ["state:shown"]],
    limit: maxCandidates,
    // Duplicates share their rarest words.
    enough: isWide ? maxCandidates : 1,
    isExact: true,
  });
  const rows = await learnings.listByIds(hits.map(({ id }) => id));
  const byId = new Map(rows.map(({ learning }) => [learning.id, learning]));
  return hits.flatMap(({ id }) => byId.get(id) ?? []).filter((learning) => !isSuperseded(learning));
}

function isSuperseded({ superseded_by: newer }: Learning): boolean {
  return newer !== undefined;
}
