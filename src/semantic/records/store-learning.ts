import {
  type Learning,
  type LearningContent,
  type LearningType,
  learningTypes,
} from "../../domain/knowledge/learning.js";
import { RalphError } from "../../domain/ralph-error.js";
import { suggest } from "../../text/nearest.js";
import { redactDeep } from "../../text/secrets/redact.js";
import { isFraction } from "../learning-limits.js";
import type { SemanticContext } from "../semantic-context.js";
import { learningProblem } from "./learning-problem.js";
import { linkToOlder } from "./link-to-older.js";
import { addLearning } from "./write-learning.js";

export interface NewLearning {
  type: LearningType;
  taskType: string;
  content: LearningContent;
  /** 0.5 by default. */
  confidence?: number | undefined;
  sourceLoops?: readonly string[] | undefined;
  successRate?: number | undefined;
  /** The files it is about, and the commit at which it was true of them. */
  files?: readonly string[] | undefined;
  git_commit?: string | undefined;
}

const defaultFraction = 0.5;

/** Records a learning; duplicates are kept until they are merged. */
export async function storeLearning(
  { store, clock, newLearningId }: SemanticContext,
  input: NewLearning,
): Promise<Learning> {
  const now = clock().toISOString();
  const learning: Learning = redactDeep({
    id: newLearningId(),
    type: checkType(input.type),
    taskType: checkText("task type", input.taskType),
    content: checkContent(input.content),
    confidence: checkFraction("confidence", input.confidence ?? defaultFraction),
    sourceLoops: checkList("source loops", "ids", input.sourceLoops ?? []),
    createdAt: now,
    updatedAt: now,
    useCount: 0,
    ...(input.files && { files: checkList("files", "paths", input.files) }),
    ...(input.git_commit && { git_commit: checkText("commit", input.git_commit) }),
    successRate: checkFraction(
      "success rate",
      input.successRate ?? (input.type === "antipattern" ? 0 : defaultFraction),
    ),
  });
  const problem = learningProblem(learning);
  if (problem !== undefined) throw new RalphError("wrong-use", `Invalid learning: ${problem}`);
  return store.transaction(async (tx) => {
    await addLearning(tx, learning);
    await linkToOlder(tx, learning, now);
    return learning;
  });
}

export function checkType(type: unknown): LearningType {
  const known = learningTypes.find((candidate) => candidate === type);
  if (known !== undefined) return known;
  throw new RalphError("wrong-use", `Unknown learning type: ${String(type)}`, {
    hint: suggest(String(type), learningTypes),
  });
}

export function checkFraction(name: string, value: unknown): number {
  if (isFraction(value)) return value;
  throw new RalphError(
    "wrong-use",
    `The ${name} of a learning must be between 0 and 1, not ${String(value)}`,
  );
}

function checkText(name: string, value: unknown): string {
  if (typeof value === "string" && value.trim() !== "") return value.trim();
  throw new RalphError("wrong-use", `A learning needs a ${name}`);
}

function checkList(name: string, of: string, value: unknown): string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === "string" && item !== ""))
    return [...value];
  throw new RalphError("wrong-use", `The ${name} of a learning must be a list of ${of}`);
}

function checkContent(value: unknown): LearningContent {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as LearningContent;
  throw new RalphError("wrong-use", "The content of a learning must be an object", {
    hint: 'such as { description: "Test-driven development approach" }',
  });
}
