import { looseStem } from "../words/loose-stem.js";
import type { RecallQuestion } from "./recall-question.js";
import { learningEvidence } from "./weights.js";

/** What a record has in common with a question, in the question's own words: "database" rather than its stem. */
export function sharesWords(
  { questions }: Pick<RecallQuestion, "questions">,
  stems: readonly string[],
): string[] {
  if (stems.length === 0) return [];
  const asked = questions.flatMap(({ words }) => words.map(({ word }) => word));
  const written = new Map(asked.toReversed().map((word) => [looseStem(word), word]));
  const shown = stems.slice(0, learningEvidence.shownWords).map((stem) => `"${written.get(stem) ?? stem}"`);
  return [`shares ${shown.join(", ")}`];
}
