import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Notice } from "../../../../src/memory/notice.js";
import { openMemory } from "../../../../src/memory/open-memory.js";
import { scratchRepository } from "../../../support/scratch.js";
import { writeWordVectors } from "../../../support/word-vectors.js";

/** What `cross_task_learning.embedding` says. */
const embedding = (model: string, dimensions?: number) =>
  `cross_task_learning:\n  embedding:\n    model: ${model}\n${dimensions === undefined ? "" : `    dimensions: ${dimensions}\n`}`;
const published = embedding("all-MiniLM-L6-v2", 384);
const staticTable = "embedder:\n  use: static\n  path: words.txt\n";

async function open(settings: string) {
  const root = scratchRepository();
  writeWordVectors(root);
  writeFileSync(join(root, "ralph.yml"), settings);
  const notices: Notice[] = [];
  const memory = await openMemory({
    root,
    environment: { RALPH_HOME: join(root, ".home"), RALPH_TRUST: "1" },
    onNotice: (notice) => notices.push(notice),
  });
  onTestFinished(() => memory.close());
  await memory.notes.add({ content: "The car park opens at nine" });
  const checkEmbedder = async () =>
    (await memory.checkHealth({ repair: false })).checks.find(({ part }) => part === "embedder");
  return {
    memory,
    notices,
    checkEmbedder,
    change: (text: string) => writeFileSync(join(root, "ralph.yml"), text),
  };
}

/** A server on this machine whose vectors have three numbers. */
async function serveEmbeddings() {
  const models: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { model: string; input: string[] };
      models.push(body.model);
      response.end(JSON.stringify({ data: body.input.map(({ length }) => ({ embedding: [length, 1, 1] })) }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { settings: `embedder:\n  use: openai\n  address: ${address}\n`, models };
}

describe("the model that cross-task learning asks for", () => {
  it("is the one that a server is asked for, unless the embedder has a model of its own", async () => {
    const { settings, models } = await serveEmbeddings();
    const asked = async (more: string) => {
      const { memory } = await open(settings + more);
      await memory.embed();
      return models.splice(0);
    };
    expect(await asked("")).toEqual(["text-embedding-3-small"]);
    expect(await asked(published)).toEqual(["text-embedding-3-small"]);
    expect(await asked(embedding("bge-m3", 3))).toEqual(["bge-m3"]);
    expect(await asked(`  model: acme/bge-m3\n${embedding("BGE-M3")}`)).toEqual(["acme/bge-m3"]);
  });

  it("is the one that is loaded here, by the name under which it is published for that", async () => {
    const nameWith = async (more: string) =>
      (await (await open(`embedder: minilm\n${more}`)).checkEmbedder())?.detail;
    expect(await nameWith(published)).toContain("minilm Xenova/all-MiniLM-L6-v2 does not work");
    expect(await nameWith(embedding("all-mpnet-base-v2"))).toContain(
      "minilm Xenova/all-mpnet-base-v2 does not work",
    );
    expect(await nameWith(embedding("acme/tiny"))).toContain("minilm acme/tiny does not work");
  });

  it("is refused where the embedder has another one; searches go on by words, and doctor tells", async () => {
    const { memory, notices, checkEmbedder, change } = await open(staticTable);
    await memory.embed();
    expect(await memory.notes.search({ text: "automobile" })).toHaveLength(1);
    change(staticTable + embedding("all-mpnet-base-v2"));
    const contradiction = {
      message:
        "cross_task_learning.embedding.model is all-mpnet-base-v2, but the embedder's model is words.txt",
      hint: "name the same one, or leave out one of them",
    };
    const later = await open(staticTable + embedding("all-mpnet-base-v2"));
    await expect(later.memory.embed()).rejects.toMatchObject({
      code: "invalid-settings",
      ...contradiction,
    });
    expect(await memory.notes.search({ text: "car park" })).toHaveLength(1);
    expect(notices).toEqual([{ kind: "embedder-unusable", ...contradiction }]);
    expect(await checkEmbedder()).toMatchObject({
      status: "warning",
      detail: expect.stringContaining(contradiction.message) as string,
    });
    change(staticTable + embedding("words.txt"));
    expect(await memory.notes.search({ text: "automobile" })).toHaveLength(1);
  });

  it("makes no vectors where no embedder is set, and doctor says so", async () => {
    const { memory, checkEmbedder, notices } = await open(embedding("all-mpnet-base-v2", 768));
    expect(await memory.notes.search({ text: "car park" })).toHaveLength(1);
    expect(notices).toEqual([]);
    expect(await checkEmbedder()).toMatchObject({
      status: "ok",
      detail:
        "none: records are found by words only; cross_task_learning.embedding asks for all-mpnet-base-v2, but embedder.use is not set",
    });
  });
});

describe("the dimensions that cross-task learning names", () => {
  it("must be those of the vectors, unless they are left as they are published", async () => {
    const { memory } = await open(staticTable + published);
    expect(await memory.embed()).toMatchObject({ dimensions: 6, embedded: 1 });
    const right = await open(staticTable + embedding("words.txt", 6));
    expect(await right.memory.embed()).toMatchObject({ dimensions: 6, embedded: 1 });
    const wrong = await open(staticTable + embedding("words.txt", 7));
    await expect(wrong.memory.embed()).rejects.toMatchObject({
      code: "invalid-settings",
      message:
        "The vectors of static words.txt have 6 dimensions, not 7 as cross_task_learning.embedding says",
    });
  });

  it("are checked in what a server answers, too", async () => {
    const { settings } = await serveEmbeddings();
    const wrong = await open(settings + embedding("bge-m3", 1024));
    await expect(wrong.memory.embed()).rejects.toThrow("have 3 dimensions, not 1024");
    expect(await wrong.checkEmbedder()).toMatchObject({
      status: "warning",
      detail: expect.stringContaining("3 dimensions, not 1024") as string,
    });
  });
});
