import type { StagingDocument } from "../../../domain/knowledge/learning.js";
import { makeStagingDocument } from "../../../semantic/exchange/learnings-document.js";
import { extractLearnings } from "../../../semantic/extract/extract-from-loop.js";
import { parseLoopState } from "../../../semantic/extract/parse-loop-state.js";
import type { PromotionOptions } from "../../../semantic/staging/promote-learnings.js";
import { type PipelineResult, runPipeline } from "../../../semantic/staging/settle-findings.js";
import type { StagingStats } from "../../../semantic/staging/stage-learnings.js";
import { type Validation, validateLearning } from "../../../semantic/staging/validate-learning.js";
import { taskAccess } from "../../project/task-context.js";
import { learningVerbsOf } from "../learnings.js";
import { type LearningsSource, type SharedLearnings, shareLearnings } from "./share-learnings.js";

/** Staging and promotion, as a published class. */
export class MemoryPromotion {
  readonly #shared: SharedLearnings;

  /** The project's learnings, those of a folder, or those of an open memory. */
  constructor(source?: LearningsSource) {
    this.#shared = shareLearnings(source);
  }

  /** Extracts the learnings of a loop and stages them. */
  async extract(loopState: unknown): Promise<{ extracted: number; staged: number }> {
    const found = extractLearnings(parseLoopState(loopState));
    const staged = await this.#verbs().stage(found);
    return { extracted: found.length, staged: staged.length };
  }

  validate(learning: unknown): Validation {
    return validateLearning(learning);
  }

  /** Validates pending learnings. */
  async validateStaged(): Promise<{ validated: number; rejected: number }> {
    return this.#verbs().validateStaged();
  }

  /** Promotes validated learnings. */
  async promote(options: PromotionOptions = {}): Promise<{ promoted: number; skipped: number }> {
    const { promoted, skipped } = await this.#verbs().promoteStaged(options);
    return { promoted, skipped };
  }

  /** Extracts, stages, validates and promotes, in one transaction. */
  async processPipeline(loopState: unknown, options: PromotionOptions = {}): Promise<PipelineResult> {
    const loop = parseLoopState(loopState);
    return taskAccess(this.#shared.memory()).write((context) => runPipeline(context, loop, options));
  }

  async loadStaging(): Promise<StagingDocument> {
    return makeStagingDocument(await this.#verbs().listStaged());
  }

  async getStagingStats(): Promise<StagingStats> {
    return this.#verbs().stagingStats();
  }

  async clearStaging(): Promise<void> {
    await this.#verbs().clearStaged();
  }

  close(): Promise<void> {
    return this.#shared.close();
  }

  #verbs() {
    return learningVerbsOf(this.#shared.memory());
  }
}
