import type { StagingDocument } from "../../../domain/knowledge/learning.js";
import { extractLearnings } from "../../../semantic/extract/extract-learnings.js";
import { parseLoopState } from "../../../semantic/extract/parse-loop-state.js";
import type { PromotionOptions } from "../../../semantic/staging/promote-learnings.js";
import type { PipelineResult } from "../../../semantic/staging/run-pipeline.js";
import type { StagingStats } from "../../../semantic/staging/stage-learnings.js";
import { makeStagingDocument } from "../../../semantic/staging/staging-document.js";
import { type Validation, validateLearning } from "../../../semantic/staging/validate-learning.js";
import { type LearningsSource, type SharedLearnings, shareLearnings } from "./share-learnings.js";

/** Staging and promotion under their published name. */
export class MemoryPromotion {
  readonly #shared: SharedLearnings;

  /** The project's learnings, those of a folder, or those of an open memory. */
  constructor(source?: LearningsSource) {
    this.#shared = shareLearnings(source);
  }

  /** Stages what a loop teaches. */
  async extract(loopState: unknown): Promise<{ extracted: number; staged: number }> {
    const found = extractLearnings(parseLoopState(loopState));
    const staged = await (await this.#shared.opened()).stageLearnings(found);
    return { extracted: found.length, staged: staged.length };
  }

  validate(learning: unknown): Validation {
    return validateLearning(learning);
  }

  /** Judges what is pending. */
  async validateStaged(): Promise<{ validated: number; rejected: number }> {
    return (await this.#shared.opened()).validateStaged();
  }

  /** Makes knowledge of what is validated. */
  async promote(options: PromotionOptions = {}): Promise<{ promoted: number; skipped: number }> {
    const { promoted, skipped } = await (await this.#shared.opened()).promoteStaged(options);
    return { promoted, skipped };
  }

  /** Extracts, stages, validates and promotes: all of it, or nothing. */
  async processPipeline(loopState: unknown, options: PromotionOptions = {}): Promise<PipelineResult> {
    const loop = parseLoopState(loopState);
    return (await this.#shared.opened()).runPipeline(loop, options);
  }

  async loadStaging(): Promise<StagingDocument> {
    return makeStagingDocument(await (await this.#shared.opened()).listStaged());
  }

  async getStagingStats(): Promise<StagingStats> {
    return (await this.#shared.opened()).stagingStats();
  }

  async clearStaging(): Promise<void> {
    await (await this.#shared.opened()).clearStaging();
  }

  close(): Promise<void> {
    return this.#shared.close();
  }
}
