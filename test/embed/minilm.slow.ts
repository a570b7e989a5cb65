import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEmbedder } from "../../src/embed/open-embedder.js";
import { openMemory } from "../../src/memory/open-memory.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";
import { installPackages } from "./install-packages.js";
import { writeTinyModel } from "./tiny-model.js";

const { folder, problem } = installPackages("minilm", ["@huggingface/transformers"]);
if (problem !== undefined)
  console.warn(`Left out: @huggingface/transformers cannot be installed: ${problem}`);

const words = {
  car: [1, 0, 0, 0],
  automobile: [0.9, 0.1, 0, 0],
  database: [0, 0, 1, 0],
  the: [0, 0, 0, 0.1],
};

const choice = (path: string | undefined) => ({
  use: "minilm" as const,
  path,
  address: "",
  model: undefined,
  key: undefined,
  batch: 2,
  expected: { model: undefined, dimensions: undefined },
  folders: [folder],
  downloads: join(folder, "models"),
});

function tinyModel(): string {
  const path = join(scratchFolder(), "tiny-minilm");
  writeTinyModel(path, words);
  return path;
}

describe.skipIf(problem !== undefined)("a sentence model from a folder", () => {
  it("is loaded through transformers.js and embeds in batches", async () => {
    const embedder = await openEmbedder(choice(tinyModel()));
    onTestFinished(() => embedder.close?.());
    expect(embedder).toMatchObject({ model: "minilm tiny-minilm", dimensions: 4 });
    const vectors = await embedder.embed(["the car", "the automobile", "database database car"]);
    expect(vectors).toHaveLength(3);
    const [car, automobile, mixed] = vectors;
    const product = (a: Float32Array | undefined, b: Float32Array | undefined) =>
      a?.reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0) ?? 0;
    expect(product(car, car)).toBeCloseTo(1);
    expect(product(car, automobile)).toBeGreaterThan(0.95);
    expect(product(car, mixed)).toBeLessThan(0.6);
  });

  it("names the files that a folder lacks", async () => {
    await expect(openEmbedder(choice(scratchFolder()))).rejects.toThrow("No model in");
    const path = tinyModel();
    rmSync(join(path, "onnx"), { recursive: true });
    await expect(openEmbedder(choice(path))).rejects.toMatchObject({
      code: "embedder-failed",
      hint: expect.stringContaining("onnx/model.onnx") as string,
    });
  });

  it("finds notes by their meaning", async () => {
    const root = scratchRepository();
    writeFileSync(join(root, "ralph.yml"), `embedder:\n  use: minilm\n  path: ${tinyModel()}\n`);
    const memory = await openMemory({ root, environment: { RALPH_HOME: folder, RALPH_TRUST: "1" } });
    onTestFinished(() => memory.close());
    for (const content of ["The car park", "The database"]) await memory.notes.add({ content });
    await memory.embed();
    const found = await memory.notes.search({ text: "automobile" });
    expect(found.map(({ content }) => content)).toEqual(["The car park"]);
  });
});
