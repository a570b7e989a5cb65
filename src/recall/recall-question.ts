import { parseQuestion, type Question } from "../search/question.js";
import { classifyTask } from "../semantic/classify-task.js";
import { looseStem } from "../words/stem.js";
import { compoundsIn } from "../words/words.js";
import { type Coverage, makeCoverage } from "./relevance.js";
import { learningEvidence } from "./weights.js";

/** What an agent is about to do. */
export interface RecallContext {
  objective: string;
  /** Classified from the objective by default. */
  taskType?: string | undefined;
  /** Paths, or parts of paths, that the work is about. */
  files?: readonly string[] | undefined;
  /** Error messages seen so far. */
  errors?: readonly string[] | undefined;
  /** The iteration about to start. */
  iteration?: number | undefined;
}

/** The same, parsed for ranking. */
export interface RecallQuestion {
  objective: string;
  taskType: string;
  files: readonly string[];
  errors: readonly string[];
  iteration: number | undefined;
  now: Date;
  /** Searched one after the other: the objective, then the errors and files. */
  questions: readonly Question[];
  /** How much of all questions a text covers. */
  coverage: Coverage;
}

export function toQuestion(
  { objective, taskType, files = [], errors = [], iteration }: RecallContext,
  now: Date,
): RecallQuestion {
  const questions = [objective, [...errors, ...files].join("\n")]
    .filter((text) => text.trim() !== "")
    .map(parseQuestion);
  return {
    objective,
    taskType: taskType ?? classifyTask(objective),
    files,
    errors,
    iteration,
    now,
    questions,
    coverage: makeCoverage(questions),
  };
}

/** Words of a question come from its beginning. */
const readLength = 4000;

/** Words of a text as they are written there: "out.txt" rather than "outtxt". */
export function asWritten(words: readonly string[], text: string): string[] {
  const written = compoundsIn(text.slice(0, readLength));
  return words.map((word) => written.get(word) ?? word);
}

/** What a record has in common with a question, in the question's own words: "database" rather than its stem. */
export function sharesWords(
  { questions }: Pick<RecallQuestion, "questions">,
  stems: readonly string[],
): string[] {
  if (stems.length === 0) return [];
  const asked = questions.flatMap(({ words }) => words.map(({ word }) => word));
  const words = new Map(asked.toReversed().map((word) => [looseStem(word), word]));
  const shown = stems.slice(0, learningEvidence.shownWords).map((stem) => words.get(stem) ?? stem);
  return [saysShared(asWritten(shown, questions.map(({ text }) => text).join("\n")))];
}

export function saysShared(words: readonly string[]): string {
  return `shares ${words.map((word) => `"${word}"`).join(", ")}`;
}
