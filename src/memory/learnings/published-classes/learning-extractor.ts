import type { ExtractedLearning, TaskType } from "../../../domain/knowledge/learning.js";
import { classifyTask } from "../../../semantic/classify/classify-task.js";
import { extractLearnings } from "../../../semantic/extract/extract-learnings.js";
import { parseLoopState } from "../../../semantic/extract/parse-loop-state.js";

/** Extraction under its published name. */
export class LearningExtractor {
  /** What one loop teaches. */
  extractFromLoop(loopHistory: unknown): ExtractedLearning[] {
    return extractLearnings(parseLoopState(loopHistory));
  }

  detectTaskType(objective: string): TaskType {
    return classifyTask(objective);
  }
}
