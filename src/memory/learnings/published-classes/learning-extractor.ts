import type { ExtractedLearning, TaskType } from "../../../domain/knowledge/learning.js";
import { classifyTask } from "../../../semantic/classify-task.js";
import { extractLearnings } from "../../../semantic/extract/extract-from-loop.js";
import { parseLoopState } from "../../../semantic/extract/parse-loop-state.js";

/** Extraction, as a published class. */
export class LearningExtractor {
  /** The learnings of one loop. */
  extractFromLoop(loopHistory: unknown): ExtractedLearning[] {
    return extractLearnings(parseLoopState(loopHistory));
  }

  detectTaskType(objective: string): TaskType {
    return classifyTask(objective);
  }
}
