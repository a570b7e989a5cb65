import { counted } from "../../text/counted.js";
import { RalphError } from "../ralph-error.js";
import type { ExtractedLearning } from "./learning.js";

/** What a learning says, in one line; merging and search compare learnings by it. */
export function statementOf({ type, taskType, content }: ExtractedLearning): string {
  const text = content.description ?? content.pattern ?? content.what_fails;
  if (typeof text === "string" && text.trim() !== "") return text.replace(/\s+/g, " ").trim();
  return type === "estimate" ? estimateStatement(taskType, content) : JSON.stringify(content);
}

/** What helped, in one line; empty if unknown. */
export function remedyOf({ content: { prevention } }: ExtractedLearning): string {
  return typeof prevention === "string" ? prevention.replace(/\s+/g, " ").trim() : "";
}

/** The statement with what helped against it: `problem → remedy`. */
export function adviceOf(learning: ExtractedLearning): string {
  const remedy = remedyOf(learning);
  const statement = statementOf(learning);
  return remedy === "" ? statement : `${statement} → ${remedy}`;
}

/** Whether a convention is drawn from observed habits, so that its statement changes with them. */
export function isHabit({ type, content }: ExtractedLearning): boolean {
  return type === "convention" && typeof content.subject === "string";
}

function estimateStatement(taskType: string, content: ExtractedLearning["content"]): string {
  const { complexity, totalIterations, avgIterationTime } = content;
  const kind = complexity === undefined ? taskType : `${taskType}, ${complexity} complexity`;
  const mean = totalIterations === undefined ? undefined : Math.round(totalIterations * 10) / 10;
  const iterations = mean === undefined ? [] : [`~${counted(mean, "iteration")}`];
  const seconds = Math.round((avgIterationTime ?? 0) / 1000);
  const time = seconds === 0 ? [] : [`~${seconds}s per iteration`];
  return `Similar tasks (${kind}): ${[...iterations, ...time].join(", ")}`;
}

/** Reports that learnings are hidden because something other than Ralph changed them. */
export function leftOutAsAltered(count: number): string {
  return `${counted(count, "learning")} left out: altered outside Ralph (run "ralph doctor")`;
}

/** The same learning, reworded. */
export function withStatement<Found extends ExtractedLearning>(found: Found, statement: string): Found {
  const text = statement.trim();
  if (text === "") throw new RalphError("wrong-use", "A learning needs a statement");
  const field = found.type === "convention" ? "pattern" : "description";
  return { ...found, content: { ...found.content, [field]: text } };
}
