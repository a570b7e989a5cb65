import type { Settings } from "../../../config/default-settings.js";
import { RalphError } from "../../../domain/ralph-error.js";
import type { Embedder } from "../../../embed/embedder.js";
import { embedderName } from "../../../embed/embedder-name.js";
import { checkModel } from "../../../embed/expectations.js";
import { type EmbedderChoice, isAvailableOffline, openEmbedder } from "../../../embed/open-embedder.js";
import { type FindRecords, searchRecords } from "../../../search/search-records.js";
import { shapeQuery } from "../../../search/shape-query.js";
import { quantise } from "../../../search/vectors/quantise.js";
import { searchHybrid } from "../../../search/vectors/search-hybrid.js";
import { makeVectorMatrix, type VectorMatrix } from "../../../search/vectors/vector-matrix.js";
import type { Store } from "../../../store/store.js";
import { redact } from "../../../text/secrets/redact.js";
import type { Notice } from "../../notice.js";
import type { Shelf } from "../../places/shelf.js";
import type { Embedded, EmbeddingState, EmbedOptions } from "./embed-records.js";
import { chosenEmbedder, type EmbedderSurroundings } from "./embedder-choice.js";
import { embedderWeights } from "./embedder-weights.js";

export interface VectorSearchOptions extends EmbedderSurroundings {
  notify(notice: Notice): void;
}

interface KnownVectors {
  model: string;
  /** The last one that has been read. */
  key: number;
  matrix: VectorMatrix | undefined;
}

/** Search by meaning, with the configured embedder. */
export interface ConfiguredVectorSearch {
  /** How records of a store are found: by words and by the vectors that are there. */
  recordFinder(store: Store): FindRecords;
  /** Gives vectors to records that lack one. */
  embed(shelf: Shelf, options: EmbedOptions): Promise<Embedded>;
  /** The same beside other work, which a fault of the embedder does not stop. */
  embedBeside(shelf: Shelf, limit?: number): Promise<void>;
  /** How many records have a vector, and how many wait. */
  count(shelf: Shelf): Promise<EmbeddingState>;
  /** Whether the embedder works: the dimensions of its vectors, or undefined while its model has not been downloaded. */
  probe(): Promise<number | undefined>;
}

/** Search by meaning: the embedder and the vectors that this process has loaded. */
export type VectorSearch = ReturnType<typeof makeVectorSearch>;

export function makeVectorSearch({ notify, ...surroundings }: VectorSearchOptions) {
  let opened: { name: string; embedder: Promise<Embedder> } | undefined;
  let hasComplained = false;
  const known = new WeakMap<Store, Map<string, KnownVectors>>();

  const open = (choice: EmbedderChoice): Promise<Embedder> => {
    checkModel(choice);
    const name = `${embedderName(choice)} ${choice.expected.dimensions}`;
    if (opened?.name === name) return opened.embedder;
    const opening = { name, embedder: openEmbedder(choice) };
    opened = opening;
    // What could not be opened may be mended later, while this process goes on.
    opening.embedder.catch(() => {
      if (opened === opening) opened = undefined;
    });
    return opening.embedder;
  };

  /** The vectors of one kind; only those written since the last look are read. */
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

  /** A search goes on without the embedder, and says so once. */
  const complain = (error: unknown): void => {
    if (!(error instanceof RalphError)) throw error;
    if (!hasComplained) notify({ kind: "embedder-unusable", message: error.message, hint: error.hint ?? "" });
    hasComplained = true;
  };

  const embedQuestion = async (choice: EmbedderChoice, text: string): Promise<Float32Array | undefined> => {
    try {
      const embedder = await open(choice);
      return (await embedder.embed([redact(shapeQuery(text)).text], { isUrgent: true }))[0];
    } catch (error) {
      complain(error);
      return undefined;
    }
  };

  const withSettings = (settings: Settings): ConfiguredVectorSearch => {
    const choice = chosenEmbedder(settings, surroundings);
    const model = embedderName(choice);
    const set = settings["embedder.weight"];
    const weight = set === "auto" ? embedderWeights[choice.use] : set;
    const embed = async (shelf: Shelf, options: EmbedOptions) => {
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
      embed,
      async embedBeside(shelf, limit) {
        const onProgress = (done: number, total: number) => notify({ kind: "embedding", done, total });
        try {
          await embed(shelf, { limit, onProgress });
        } catch (error) {
          complain(error);
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
