import type { ExtractedLearning, Learning } from "../../domain/knowledge/learning.js";
import { isHabit, statementOf } from "../../domain/knowledge/statement.js";
import { learningKind } from "../../search/record-kinds.js";
import type { SearchDocument } from "../../store/lexical-index.js";
import type { LearningRow, RawLearning } from "../../store/repositories/knowledge/learnings.js";
import type { Repositories } from "../../store/store.js";
import { errorWords } from "../../words/error-codes.js";
import { statementWords } from "../../words/statement-words.js";
import { wordsOf } from "../../words/words.js";
import { isIntact, recordChecksum } from "./checksum.js";

export async function addLearning(tx: Repositories, learning: Learning): Promise<void> {
  await tx.learnings.add(toRow(learning));
  await indexLearning(tx, learning);
}

/** Saves a change to the record with the same id. */
export async function saveLearning(tx: Repositories, learning: Learning): Promise<void> {
  const [stored] = await tx.learnings.listRaw([learning.id]);
  await tx.learnings.save(withChecksumOf(stored, toRow(learning)));
  await indexLearning(tx, learning);
}

/** Saves records whose texts are unchanged, without reindexing them; `stored` are those that are to be replaced. */
export async function saveFigures(
  tx: Repositories,
  learnings: readonly Learning[],
  stored: readonly RawLearning[],
): Promise<void> {
  const known = new Map(stored.map((each) => [each.id, each]));
  for (const learning of learnings)
    await tx.learnings.save(withChecksumOf(known.get(learning.id), toRow(learning)));
}

/** Replaces the record with the same id, even if it was altered. */
export async function replaceLearning(tx: Repositories, learning: Learning): Promise<void> {
  await tx.learnings.save(toRow(learning));
  await indexLearning(tx, learning);
}

/** A change to an altered record keeps its checksum, which does not match: a new one would hide the alteration. */
function withChecksumOf(stored: RawLearning | undefined, row: LearningRow): LearningRow {
  return stored === undefined || isIntact(stored) ? row : { ...row, checksum: stored.checksum };
}

/** False when there is no such learning. */
export async function removeLearning(tx: Repositories, id: string, time: string): Promise<boolean> {
  await tx.lexical.remove({ kind: learningKind, id, source: "" });
  // What it superseded becomes current again.
  for (const { learning } of await tx.learnings.listSupersededBy(id)) {
    const { superseded_by: _gone, ...shown } = learning;
    await saveLearning(tx, shown);
  }
  for (const link of await tx.links.listForRecord(id)) await tx.links.remove(link);
  return tx.learnings.remove(id, time);
}

/** Removes every record, damaged ones included, and returns their number. */
export async function removeAllLearnings(tx: Repositories): Promise<number> {
  const rows = await tx.learnings.listRaw();
  for (const { id } of rows) await tx.lexical.remove({ kind: learningKind, id, source: "" });
  await tx.learnings.removeAll();
  return rows.length;
}

export function toRow(learning: Learning): LearningRow {
  return {
    learning,
    likeness: statementKey(learning),
    score: queryScore(learning),
    checksum: recordChecksum(learning),
  };
}

/** Adds a learning to the search index, with its statement, conditions and files. */
async function indexLearning(tx: Repositories, learning: Learning): Promise<void> {
  await tx.lexical.put(learningDocument(learning));
}

/** What a learning is found by. */
export function learningDocument(learning: Learning): SearchDocument {
  const { content, conditions = [], correct_approach = "", incorrect_approach = "" } = learning;
  const words = (text: string) => wordsOf(text).join(" ");
  const texts = [content.why, content.prevention, correct_approach, incorrect_approach, ...conditions];
  const body = texts.filter((text) => typeof text === "string").join("\n");
  const errors = [
    ...(learning.failure_aliases ?? []),
    content.what_fails,
    learning.type === "antipattern" ? content.description : "",
  ];
  return {
    kind: learningKind,
    id: learning.id,
    source: "",
    title: words(statementOf(learning)),
    body: words(body),
    tags: words([learning.category ?? "", learning.taskType].join(" ")),
    files: words([...(content.examples ?? []), ...(learning.files ?? [])].join(" ")),
    errors: errorWords([...errors, body].join("\n")),
    labels: [
      `type:${learning.type}`,
      `task:${learning.taskType}`,
      ...(learning.superseded_by === undefined ? ["state:shown"] : []),
    ],
    time: Date.parse(learning.updatedAt) || 0,
  };
}

type Scored = Pick<Learning, "type" | "confidence" | "successRate" | "useCount">;

/**
 * The score that queries rank by: confidence × success rate × log₁₀(uses + 1), as published. A learning that was never used
 * counts as used once, because log₁₀(1) = 0 would rank it last forever. Antipatterns, whose success rate is always 0, count
 * as 0.5.
 */
export function queryScore({ type, confidence, successRate, useCount }: Scored): number {
  const success = type === "antipattern" ? 0.5 : successRate;
  return confidence * success * Math.log10(Math.max(useCount, 1) + 1);
}

/**
 * The exact-duplicate key of a learning: its significant words with negation, their roles ("before x", "from y") and its
 * numbers; for a known failure its key, for habits their subject, for estimates just the complexity. Learnings with different keys can still be paraphrases of each other.
 */
export function statementKey(learning: ExtractedLearning): string {
  if (learning.failure_key !== undefined) return `failure ${learning.failure_key}`;
  if (isHabit(learning)) return `convention ${learning.content.subject}`;
  if (learning.type === "estimate") return `estimate ${learning.content.complexity ?? ""}`.trim();
  const statement = statementOf(learning);
  const { weights, roles } = statementWords(statement);
  const words = [...weights].map(([word, weight]) => (weight < 0 ? `-${word}` : word)).sort();
  const order = [...roles].map(([role, word]) => `${role}>${word}`).sort();
  const numbers = (statement.match(/-?\d+(?:\.\d+)*/g) ?? []).sort();
  return [...words, ...order, ...numbers].join(" ") || statement.toLowerCase();
}

/** Whether learnings with different keys are never the same, however alike their statements. */
export function isComparedByKey(learning: ExtractedLearning): boolean {
  return learning.type === "estimate" || learning.failure_key !== undefined || isHabit(learning);
}
