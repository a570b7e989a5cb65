import {
  extractedTypes,
  type Learning,
  type LearningContent,
  type LearningsDocument,
  type LearningType,
} from "../../../domain/knowledge/learning.js";
import { RalphError } from "../../../domain/ralph-error.js";
import {
  loadDocument,
  saveDocument,
  type Verification,
} from "../../../semantic/exchange/exchange-learnings.js";
import { checksumOf } from "../../../semantic/records/checksum.js";
import {
  deleteLearning,
  type KnowledgeStats,
  type LearningQuery,
  retrieveLearning,
} from "../../../semantic/records/learning-records.js";
import type { NewLearning } from "../../../semantic/records/store-learning.js";
import { taskAccess } from "../../project/task-context.js";
import { learningVerbsOf } from "../learnings.js";
import { type LearningsSource, type SharedLearnings, shareLearnings } from "./share-learnings.js";

export type LearningMetadata = Pick<NewLearning, "confidence" | "sourceLoops" | "successRate">;

interface Loaded {
  place: SharedLearnings["place"];
  learnings: readonly Learning[];
}

/** What a document contained when it was loaded. Also keyed by its stats object, which a copy `{ ...document }` shares. */
const loaded = new WeakMap<object, Loaded>();

/** The store of learnings, as a published class. */
export class SemanticMemory {
  readonly #shared: SharedLearnings;

  /** The project's learnings, those of a folder, or those of an open memory. */
  constructor(source?: LearningsSource) {
    this.#shared = shareLearnings(source);
  }

  async store(
    type: LearningType,
    taskType: string,
    content: LearningContent,
    { confidence, sourceLoops, successRate }: LearningMetadata = {},
  ): Promise<Learning> {
    return this.#verbs().add({ type, taskType, content, confidence, sourceLoops, successRate });
  }

  /** Returns a learning and counts a use. */
  async retrieve(id: string): Promise<Learning | null> {
    return (await this.#tasks().change((context) => retrieveLearning(context, id))) ?? null;
  }

  /** Best score first. */
  async query(pattern: LearningQuery = {}): Promise<Learning[]> {
    return this.#verbs().list(pattern);
  }

  /** Changes fields other than `id`, `createdAt` and `sourceLoops`; null if there is no such learning. */
  async update(id: string, updates: Partial<Learning>): Promise<Learning | null> {
    const learnings = this.#verbs();
    try {
      const { id: found } = await learnings.get(id);
      return found === id ? await learnings.update(id, updates) : null;
    } catch (error) {
      if (error instanceof RalphError && ["not-found", "ambiguous"].includes(error.code)) return null;
      throw error;
    }
  }

  /** False if there is no such learning. */
  async delete(id: string): Promise<boolean> {
    return this.#tasks().change((context) => deleteLearning(context, id));
  }

  async getStats(): Promise<KnowledgeStats> {
    const stats = await this.#verbs().stats();
    const none = Object.fromEntries(extractedTypes.map((type) => [type, 0]));
    return { ...stats, byType: { ...none, ...stats.byType } };
  }

  async verify(): Promise<Verification> {
    const learnings = this.#verbs();
    try {
      return await learnings.verify();
    } catch (error) {
      const isDamage = error instanceof RalphError && ["store-damaged", "file-unusable"].includes(error.code);
      if (!isDamage) throw error;
      return { valid: false, error: error.message };
    }
  }

  /** Deletes all learnings, after a backup. */
  async clear(): Promise<void> {
    await this.#verbs().clear();
  }

  /** The whole store as one document. Altered learnings are taken from a backup; it throws if none has them. */
  async load(): Promise<LearningsDocument> {
    let loading = await this.#tasks().readOrEmpty(loadDocument);
    if (loading.altered.length > 0) {
      await this.#recover();
      loading = await this.#tasks().readOrEmpty(loadDocument);
    }
    this.#remember(loading.document);
    return loading.document;
  }

  async #recover(): Promise<void> {
    const { restored, missing } = await this.#verbs().restoreAltered();
    if (missing.length > 0)
      throw new RalphError(
        "store-damaged",
        `Knowledge store corrupted and backup recovery failed: ${missing.join(", ")}`,
        { hint: "accept them with acceptAltered(), or delete them" },
      );
    process.emitWarning(`Recovered from backup due to checksum mismatch: ${restored.join(", ")}`);
  }

  /** Saves the changes made to a document since it was loaded; a document not loaded here only adds and updates. */
  async save(document: LearningsDocument): Promise<void> {
    const before = this.#rememberedOf(document) ?? [];
    await this.#tasks().write((context) => saveDocument(context, document, before));
    this.#remember(document);
  }

  /** SHA-256, in hexadecimal, of the learnings as compact JSON. */
  calculateChecksum(learnings: readonly Learning[]): string {
    return checksumOf(learnings);
  }

  close(): Promise<void> {
    return this.#shared.close();
  }

  #verbs() {
    return learningVerbsOf(this.#shared.memory());
  }

  #tasks() {
    return taskAccess(this.#shared.memory());
  }

  #remember(document: LearningsDocument): void {
    const now: Loaded = { place: this.#shared.place, learnings: structuredClone(document.learnings) };
    loaded.set(document, now);
    if (isObject(document.stats)) loaded.set(document.stats, now);
  }

  #rememberedOf(document: LearningsDocument): readonly Learning[] | undefined {
    const candidates = [document, document.stats].filter(isObject).map((part) => loaded.get(part));
    return candidates.find((known) => known?.place === this.#shared.place)?.learnings;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
