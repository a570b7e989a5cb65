import type { Complexity, Learning } from "../../../domain/knowledge/learning.js";
import { formatSummary, type SummarisedKnowledge } from "../../../semantic/retrieve/format-summary.js";
import type {
  KnowledgeContext,
  RankedLearning,
  RelevantKnowledge,
} from "../../../semantic/retrieve/relevant-knowledge.js";
import { type LearningsSource, type SharedLearnings, shareLearnings } from "./share-learnings.js";

/** Retrieval of what a task needs to know, under its published name. Looking counts as no use. */
export class MemoryRetrieval {
  readonly #shared: SharedLearnings;

  /** The project's learnings, those of a folder, or those of an open memory. */
  constructor(source?: LearningsSource) {
    this.#shared = shareLearnings(source);
  }

  async getRelevantKnowledge(context: KnowledgeContext): Promise<RelevantKnowledge> {
    return (await this.#shared.opened()).relevantKnowledge(context);
  }

  /** Those that the errors at hand show come first. */
  async getAntiPatterns(context: KnowledgeContext): Promise<Learning[]> {
    return (await this.#shared.opened()).antiPatterns(context);
  }

  async getFileConventions(filePatterns: readonly string[]): Promise<Learning[]> {
    return (await this.#shared.opened()).fileConventions(filePatterns);
  }

  async getEstimate(taskType: string, complexity?: Complexity): Promise<Learning | null> {
    return (await (await this.#shared.opened()).findEstimate(taskType, complexity)) ?? null;
  }

  /** The most relevant ones, each with its relevance from 0 to 1. */
  async getTopLearnings(context: KnowledgeContext, limit = 10): Promise<RankedLearning[]> {
    return (await this.#shared.opened()).topLearnings(context, limit);
  }

  /** Markdown for a prompt. */
  formatSummary(knowledge: SummarisedKnowledge): string {
    return formatSummary(knowledge);
  }

  close(): Promise<void> {
    return this.#shared.close();
  }
}
