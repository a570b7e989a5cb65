import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { messageOf, RalphError } from "../domain/ralph-error.js";
import { isObject } from "../domain/shape.js";
import type { Embedder } from "./embedder.js";
import { loadOptionalPackage } from "./load-optional-package.js";

interface MinilmOptions {
  name: string;
  /** A folder with the model's files; if undefined, the package downloads them. */
  path: string | undefined;
  /** The model's name on Hugging Face. */
  model: string;
  batch: number;
  /** Where to look for the package. */
  folders: readonly string[];
  /** The package's download folder. */
  downloads: string;
}

/** The part of `@huggingface/transformers` used here. */
interface Transformers {
  env: {
    allowRemoteModels: boolean;
    allowLocalModels: boolean;
    localModelPath: string;
    cacheDir: string;
  };
  pipeline(
    task: "feature-extraction",
    model: string,
    options: { dtype: "q8" | "fp32"; local_files_only?: boolean },
  ): Promise<FeatureExtraction>;
}

interface FeatureExtraction {
  (
    texts: string[],
    options: { pooling: "mean"; normalize: boolean },
  ): Promise<{ data: Float32Array; dims: number[] }>;
  dispose?(): Promise<unknown>;
}

export const transformersPackage = "@huggingface/transformers";

/** Whether the model has been downloaded; throws if the package is missing. */
export function isDownloaded({ model, folders, downloads }: Omit<MinilmOptions, "name">): boolean {
  loadTransformers(folders);
  return existsSync(join(downloads, model));
}

/** A sentence model such as all-MiniLM-L6-v2, run in this process. */
export async function openMinilm(options: MinilmOptions): Promise<Embedder> {
  const { name, path, batch } = options;
  if (path !== undefined) checkModelFolder(path);
  const transformers = loadTransformers(options.folders);
  const extract = await openPipeline(transformers, options);
  const run = async (texts: readonly string[]) => {
    const { data, dims } = await extract([...texts], { pooling: "mean", normalize: true });
    const dimensions = dims.at(-1) ?? 0;
    return texts.map((_text, index) => data.slice(index * dimensions, (index + 1) * dimensions));
  };
  const [probe] = await run(["probe"]);
  return {
    model: name,
    dimensions: probe?.length ?? 0,
    async embed(texts) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += batch)
        vectors.push(...(await run(texts.slice(start, start + batch))));
      return vectors;
    },
    close: async () => {
      await extract.dispose?.();
    },
  };
}

function loadTransformers(folders: readonly string[]): Transformers {
  const loaded = loadOptionalPackage<Partial<Transformers>>(
    transformersPackage,
    folders,
    transformersPackage,
  );
  if (isObject(loaded.env) && typeof loaded.pipeline === "function") return loaded as Transformers;
  throw new RalphError("missing-package", `The package ${transformersPackage} is not what its name says`, {
    hint: `reinstall it with "npm install ${transformersPackage}"`,
  });
}

async function openPipeline(
  { env, pipeline }: Transformers,
  { path, model, downloads }: MinilmOptions,
): Promise<FeatureExtraction> {
  env.cacheDir = downloads;
  if (path === undefined) {
    try {
      return await pipeline("feature-extraction", model, { dtype: "q8" });
    } catch (error) {
      throw new RalphError("embedder-failed", `The model ${model} cannot be loaded: ${firstLineOf(error)}`, {
        hint: "copy its files into a folder and set embedder.path to it",
        cause: error,
      });
    }
  }
  env.allowRemoteModels = false;
  env.allowLocalModels = true;
  env.localModelPath = dirname(path);
  const isQuantised = existsSync(join(path, "onnx", "model_quantized.onnx"));
  try {
    return await pipeline("feature-extraction", basename(path), {
      dtype: isQuantised ? "q8" : "fp32",
      local_files_only: true,
    });
  } catch (error) {
    throw new RalphError("embedder-failed", `The model in ${path} cannot be loaded: ${firstLineOf(error)}`, {
      hint: "it needs config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx or onnx/model_quantized.onnx",
      cause: error,
    });
  }
}

function checkModelFolder(path: string): void {
  if (["config.json", "tokenizer.json"].every((name) => isFile(join(path, name))) && !hasSpecialFiles(path))
    return;
  throw new RalphError("file-unusable", `No model in ${path}`, {
    hint: "embedder.path must be a folder with config.json, tokenizer.json and onnx/model.onnx",
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** The package that loads the model would wait for a pipe for ever. */
function hasSpecialFiles(path: string): boolean {
  return readdirSync(path, { recursive: true, withFileTypes: true }).some(
    (entry) => !entry.isFile() && !entry.isDirectory() && !isFile(join(entry.parentPath, entry.name)),
  );
}

function firstLineOf(error: unknown): string {
  return messageOf(error).split("\n")[0] ?? "";
}
