import type { ExtractedLearning } from "../../domain/knowledge/learning.js";
import { isHabit, statementOf } from "../../domain/knowledge/statement.js";
import { statementWords } from "../../words/compare/statement-words.js";

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
