import type { ExtractedLearning } from "../../domain/knowledge/learning.js";
import { statementOf } from "../../domain/knowledge/statement.js";
import { bagOf } from "../../words/compare/bag.js";

/**
 * Equal for learnings that plainly say the same: one estimate for each task type and complexity, else the telling words of
 * the statement, each with whether it is affirmed or negated, what stands behind "before" or "from", and the numbers.
 * Learnings of unequal likeness may still say the same in other words.
 */
export function statementKey(learning: ExtractedLearning): string {
  if (learning.type === "estimate") return `estimate ${learning.content.complexity ?? ""}`.trim();
  const statement = statementOf(learning);
  const { weights, roles } = bagOf(statement);
  const words = [...weights].map(([word, weight]) => (weight < 0 ? `-${word}` : word)).sort();
  const order = [...roles].map(([role, word]) => `${role}>${word}`).sort();
  const numbers = (statement.match(/-?\d+(?:\.\d+)*/g) ?? []).sort();
  return [...words, ...order, ...numbers].join(" ") || statement.toLowerCase();
}
