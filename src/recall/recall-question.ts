import { parseQuestion, type Question } from "../search/question.js";
import { classifyTask } from "../semantic/classify/classify-task.js";
import { type Coverage, makeCoverage } from "./coverage.js";

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
