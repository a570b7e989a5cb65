import type { Settings } from "../../../config/default-settings.js";
import { RalphError } from "../../../domain/ralph-error.js";
import type { TaskVector } from "../../../domain/tasks/task-memory.js";
import { type Embedder, embedderName } from "../../../embed/embedder.js";
import {
  checkModel,
  type EmbedderChoice,
  isAvailableOffline,
  openEmbedder,
} from "../../../embed/open-embedder.js";
import type { TaskVectors } from "../../../recall/similar/compare-tasks.js";
import { shapeQuery } from "../../../search/question.js";
import { taskKind } from "../../../search/record-kinds.js";
import { type FindRecords, searchRecords } from "../../../search/search-records.js";
import { aboveMean, searchHybrid } from "../../../search/vectors/search-hybrid.js";
import { makeVectorMatrix, quantise, type VectorMatrix } from "../../../search/vectors/vector-matrix.js";
import type { Store } from "../../../store/store.js";
import { redact } from "../../../text/secrets/redact.js";
import type { Notice } from "../../notice.js";
import type { StoreContext } from "../../project/place.js";
import type { Embedded, EmbeddingState, EmbedOptions } from "./embed-records.js";
import { chosenEmbedder, type EmbedderSurroundings } from "./embedder-choice.js";
import { embedderWeights } from "./embedder-weights.js";

export interface VectorSearchOptions extends EmbedderSurroundings {
  notify(notice: Notice): void;
}

interface KnownVectors {
  model: string;
  /** The last row read. */
  key: number;
  matrix: VectorMatrix | undefined;
}

/** Search by meaning, with the configured embedder. */
export interface ConfiguredVectorSearch {
  /** Searches a store by words and by its vectors. */
  recordFinder(store: Store): FindRecords;
  /** Compares the tasks of a store with an objective. */
  taskVectors(store: Store): TaskVectors;
  /** The vector of a task; undefined if it has none by the configured model. */
  findTaskVector(store: Store, taskId: string): Promise<TaskVector | undefined>;
  /** Embeds records without a vector. */
  embed(shelf: StoreContext, options: EmbedOptions): Promise<Embedded>;
  /** The same as a side task: an embedder that fails is only reported. */
  embedBeside(shelf: StoreContext, limit?: number): Promise<void>;
  /** How many records have a vector, and how many are pending. */
  count(shelf: StoreContext): Promise<EmbeddingState>;
  /** Tries the embedder and returns its dimensions; undefined if the model has not been downloaded yet. */
  probe(): Promise<number | undefined>;
}

/** Search by meaning, with the embedder and vectors cached in this process. */
export type VectorSearch = ReturnType<typeof makeVectorSearch>;

export function makeVectorSearch({ notify, ...surroundings }: VectorSearchOptions) {
  let opened: { name: string; embedder: Promise<Embedder> } | undefined;
  let isReported = false;
  const known = new WeakMap<Store, Map<string, KnownVectors>>();

  const open = (choice: EmbedderChoice): Promise<Embedder> => {
    checkModel(choice);
    const name = `${embedderName(choice)} ${choice.expected.dimensions}`;
    if (opened?.name === name) return opened.embedder;
    const opening = { name, embedder: openEmbedder(choice) };
    opened = opening;
    // Allow a retry: the cause may be fixed while this process runs.
    opening.embedder.catch(() => {
      if (opened === opening) opened = undefined;
    });
    return opening.embedder;
  };

  /** The vectors of one kind; reads only those added since the last call. */
  const load = async (store: Store, kind: string, model: string): Promise<VectorMatrix | undefined> => {
    const kinds = known.get(store) ?? new Map<string, KnownVectors>();
    known.set(store, kinds);
    const lastKey = await store.vectors.lastKey();
    let vectors = kinds.get(kind);
    if (vectors === undefined || vectors.model !== model || vectors.key > lastKey)
      vectors = { model, key: 0, matrix: undefined };
    kinds.set(kind, vectors);
    if (vectors.key === lastKey) return vectors.matrix;
    for (const { id, source, scale, bytes } of await store.vectors.listAfter(kind, model, vectors.key)) {
      vectors.matrix ??= makeVectorMatrix(bytes.length);
      vectors.matrix.put({ id, source, scale, bytes: asSigned(bytes) });
    }
    vectors.key = lastKey;
    return vectors.matrix;
  };

  /** Searches continue without the embedder; the problem is reported once. */
  const report = (error: unknown): void => {
    if (!(error instanceof RalphError)) throw error;
    if (!isReported) notify({ kind: "embedder-unusable", message: error.message, hint: error.hint ?? "" });
    isReported = true;
  };

  const embedQuestion = async (choice: EmbedderChoice, text: string): Promise<Float32Array | undefined> => {
    try {
      const embedder = await open(choice);
      return (await embedder.embed([redact(shapeQuery(text)).text], { isUrgent: true }))[0];
    } catch (error) {
      report(error);
      return undefined;
    }
  };

  const withSettings = (settings: Settings): ConfiguredVectorSearch => {
    const choice = chosenEmbedder(settings, surroundings);
    const model = embedderName(choice);
    const configured = settings["embedder.weight"];
    const weight = configured === "auto" ? embedderWeights[choice.use] : configured;
    const embed = async (shelf: StoreContext, options: EmbedOptions) => {
      checkModel(choice);
      const { embedRecords } = await import("./embed-records.js");
      return embedRecords(shelf, model, () => open(choice), options);
    };
    return {
      recordFinder: (store) => async (lexical, query) => {
        const matrix = weight === 0 || query.isExact ? undefined : await load(store, query.kind, model);
        const vector = matrix && (await embedQuestion(choice, query.question.text));
        if (matrix === undefined || vector === undefined) return searchRecords(lexical, query);
        return searchHybrid(lexical, query, { matrix, vector: quantise(vector), weight });
      },
      taskVectors: (store) => ({
        weight,
        async compare(objective) {
          const matrix = weight === 0 ? undefined : await load(store, taskKind, model);
          const vector = matrix && (await embedQuestion(choice, objective));
          if (matrix === undefined || vector === undefined) return () => undefined;
          const similarities = aboveMean(matrix.compare(quantise(vector)));
          return (taskId) => similarities[matrix.find(taskId, "") ?? -1];
        },
      }),
      async findTaskVector(store, taskId) {
        const vector = await store.vectors.find({ kind: taskKind, id: taskId, source: "" });
        if (vector?.model !== model) return undefined;
        const { dimensions, scale, bytes } = vector;
        return { model, dimensions, embedding: [...asSigned(bytes)].map((byte) => shortened(byte * scale)) };
      },
      embed,
      async embedBeside(shelf, limit) {
        const onProgress = (done: number, total: number) => notify({ kind: "embedding", done, total });
        try {
          await embed(shelf, { limit, onProgress });
        } catch (error) {
          report(error);
        }
      },
      count: async (shelf) => (await import("./embed-records.js")).describeEmbedding(shelf, model),
      async probe() {
        if (!(await isAvailableOffline(choice))) return undefined;
        const [vector] = await (await open(choice)).embed(["probe"], { isUrgent: true });
        return vector?.length ?? 0;
      },
    };
  };

  return {
    withSettings,
    async close(): Promise<void> {
      const embedder = await opened?.embedder.catch(() => undefined);
      await embedder?.close?.();
    },
  };
}

function asSigned(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** What is rounded off is less than one step of a quantised vector. */
function shortened(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
