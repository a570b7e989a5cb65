import { looseStem } from "../words/loose-stem.js";
import { compoundsIn } from "../words/words.js";
import type { RecallQuestion } from "./recall-question.js";
import { learningEvidence } from "./weights.js";

type Questions = RecallQuestion["questions"];
type Spell = (stem: string) => string;

/** Words of a question come from its beginning. */
const readLength = 4000;

/** Every record is compared with the same question. */
const known = new WeakMap<Questions, Spell>();

/** What a record has in common with a question, in the question's own words: "database" rather than its stem, "out.txt" rather than "outtxt". */
export function sharesWords(
  { questions }: Pick<RecallQuestion, "questions">,
  stems: readonly string[],
): string[] {
  if (stems.length === 0) return [];
  const spell = known.get(questions) ?? spellingOf(questions);
  known.set(questions, spell);
  return [saysShared(stems.slice(0, learningEvidence.shownWords).map(spell))];
}

function spellingOf(questions: Questions): Spell {
  const asked = questions.flatMap(({ words }) => words.map(({ word }) => word));
  const words = new Map(asked.toReversed().map((word) => [looseStem(word), word]));
  const spell = spellingIn(questions.map(({ text }) => text).join("\n"));
  return (stem) => spell(words.get(stem) ?? stem);
}

/** Words of a text as they are written there. */
export function asWritten(words: readonly string[], text: string): string[] {
  return words.map(spellingIn(text));
}

function spellingIn(text: string): Spell {
  const written = compoundsIn(text.slice(0, readLength));
  return (word) => written.get(word) ?? word;
}

export function saysShared(words: readonly string[]): string {
  return `shares ${words.map((word) => `"${word}"`).join(", ")}`;
}
