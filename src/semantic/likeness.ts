import type { ExtractedLearning } from "../domain/learning.js";
import { topicWords } from "../search/bag.js";
import { statementOf } from "./statement.js";

/**
 * Equal for learnings that plainly say the same: one estimate for each task type and complexity, else the telling words of
 * the statement in any order. Learnings of unequal likeness may still say the same in other words.
 */
export function likenessOf(learning: ExtractedLearning): string {
  if (learning.type === "estimate") return `estimate ${learning.content.complexity ?? ""}`.trim();
  const statement = statementOf(learning);
  const words = topicWords(statement);
  return words.length === 0 ? statement.toLowerCase() : words.toSorted().join(" ");
}
