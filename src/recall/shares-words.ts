import { looseStem } from "../words/loose-stem.js";
import { compoundsIn } from "../words/words.js";
import type { RecallQuestion } from "./recall-question.js";
import { learningEvidence } from "./weights.js";

/** Words of a question come from its beginning. */
const readLength = 4000;

/** What a record has in common with a question, in the question's own words: "database" rather than its stem, "out.txt" rather than "outtxt". */
export function sharesWords(
  { questions }: Pick<RecallQuestion, "questions">,
  stems: readonly string[],
): string[] {
  if (stems.length === 0) return [];
  const asked = questions.flatMap(({ words }) => words.map(({ word }) => word));
  const words = new Map(asked.toReversed().map((word) => [looseStem(word), word]));
  const shared = stems.slice(0, learningEvidence.shownWords).map((stem) => words.get(stem) ?? stem);
  return [saysShared(asWritten(shared, questions.map(({ text }) => text).join("\n")))];
}

/** Words of a text as they are written there. */
export function asWritten(words: readonly string[], text: string): string[] {
  const written = compoundsIn(text.slice(0, readLength));
  return words.map((word) => written.get(word) ?? word);
}

export function saysShared(words: readonly string[]): string {
  return `shares ${words.map((word) => `"${word}"`).join(", ")}`;
}
