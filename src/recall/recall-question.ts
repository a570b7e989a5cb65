import { parseQuestion, type Question } from "../search/question.js";
import { classifyTask } from "../semantic/classify/classify-task.js";
import { type Coverage, makeCoverage } from "./coverage.js";

/** What somebody is about to do, as they say it. */
export interface RecallContext {
  objective: string;
  /** Found out from the objective when it is not said. */
  taskType?: string | undefined;
  /** Paths, or parts of them, that the work is about. */
  files?: readonly string[] | undefined;
  /** Messages that came up. */
  errors?: readonly string[] | undefined;
  /** The iteration that is about to begin. */
  iteration?: number | undefined;
}

/** The same, made ready for ranking. */
export interface RecallQuestion {
  objective: string;
  taskType: string;
  files: readonly string[];
  errors: readonly string[];
  iteration: number | undefined;
  now: Date;
  /** What is searched for, one after the other: the objective, then the errors and files at hand. */
  questions: readonly Question[];
  /** How much a text covers of all of them. */
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
