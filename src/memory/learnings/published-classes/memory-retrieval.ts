import type { Complexity, Learning } from "../../../domain/knowledge/learning.js";
import { countUses } from "../../../semantic/records/learning-records.js";
import { formatSummary, type SummarisedKnowledge } from "../../../semantic/retrieve/format-summary.js";
import {
  antiPatterns,
  fileConventions,
  findEstimate,
  type KnowledgeContext,
  type RankedLearning,
  type RelevantKnowledge,
  relevantKnowledge,
  topLearnings,
} from "../../../semantic/retrieve/relevant-knowledge.js";
import type { Store } from "../../../store/store.js";
import { taskAccess } from "../../project/task-context.js";
import { type LearningsSource, type SharedLearnings, shareLearnings } from "./share-learnings.js";

/** Retrieval of relevant knowledge, as a published class. */
export class MemoryRetrieval {
  readonly #shared: SharedLearnings;

  /** The project's learnings, those of a folder, or those of an open memory. */
  constructor(source?: LearningsSource) {
    this.#shared = shareLearnings(source);
  }

  /** Knowledge for a prompt, which counts as a use: learnings that were never used are the ones to remove. */
  async getRelevantKnowledge(context: KnowledgeContext): Promise<RelevantKnowledge> {
    const knowledge = await this.#read((store, now) => relevantKnowledge(store, context, now));
    const { strategies, antipatterns, estimates, conventions } = knowledge;
    const shown = [...strategies, ...antipatterns, ...estimates, ...conventions].map(({ id }) => id);
    if (shown.length > 0)
      await taskAccess(this.#shared.memory()).change((change) => countUses(change, shown));
    return knowledge;
  }

  /** Those that match the current errors come first. */
  async getAntiPatterns(context: KnowledgeContext): Promise<Learning[]> {
    return this.#read((store, now) => antiPatterns(store, context, now));
  }

  async getFileConventions(filePatterns: readonly string[]): Promise<Learning[]> {
    return this.#read((store) => fileConventions(store, filePatterns));
  }

  async getEstimate(taskType: string, complexity?: Complexity): Promise<Learning | null> {
    return (await this.#read((store) => findEstimate(store, taskType, complexity))) ?? null;
  }

  /** The most relevant learnings, each with a relevance from 0 to 1. */
  async getTopLearnings(context: KnowledgeContext, limit = 10): Promise<RankedLearning[]> {
    return this.#read((store, now) => topLearnings(store, context, limit, now));
  }

  /** Markdown for a prompt. */
  formatSummary(knowledge: SummarisedKnowledge): string {
    return formatSummary(knowledge);
  }

  close(): Promise<void> {
    return this.#shared.close();
  }

  #read<Result>(work: (store: Store, now: Date) => Promise<Result>): Promise<Result> {
    return this.#shared.memory().readOrEmpty(({ store, clock }) => work(store, clock()));
  }
}
