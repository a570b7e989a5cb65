import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type Learning,
  type LearningsDocument,
  MemoryPromotion,
  MemoryRetrieval,
  openMemory,
  RalphError,
  SemanticMemory,
} from "../../../src/index.js";
import { openLearningsFolder } from "../../../src/memory/learnings/exchange/learnings-folder.js";
import { learningVerbsOf } from "../../../src/memory/learnings/learnings.js";
import { checksumOf } from "../../../src/semantic/records/checksum.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import { authenticationLoop } from "../../support/published-loops.js";
import { git, scratchFolder, scratchRepository } from "../../support/scratch.js";

const learning = (fields: Partial<Learning> = {}): Learning => ({
  id: "learn-abc123",
  type: "strategy",
  taskType: "test-fix",
  content: { description: "Test-driven development approach", effectiveness: 0.85 },
  confidence: 0.85,
  sourceLoops: ["ralph-001"],
  createdAt: "2026-02-01T15:00:00Z",
  updatedAt: "2026-02-03T10:30:00Z",
  useCount: 5,
  successRate: 0.85,
  ...fields,
});

const documentOf = (learnings: readonly Learning[], fields: Partial<LearningsDocument> = {}) =>
  ({ version: "1.0.0", checksum: checksumOf(learnings), learnings, ...fields }) as LearningsDocument;

const staged = [
  { id: "stage-1-0", learning: learning(), status: "pending", stagedAt: "2026-02-03T10:25:00Z" },
  {
    ...{ id: "stage-1-1", learning: learning(), status: "rejected", stagedAt: "2026-02-03T10:25:00Z" },
    rejectionReason: "Confidence too low (< 0.3)",
  },
];

function folderWith(files: Record<string, unknown>): string {
  const folder = scratchFolder();
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return folder;
}

/** Changes a kept record behind the store's back. */
async function tamper(folder: string, change: string): Promise<void> {
  const database = (await loadSqliteEngine()).open(join(folder, "memory.db"));
  database.exec(`UPDATE learnings SET record = ${change}`);
  database.close();
}

const refusal = (code: string) => expect.objectContaining({ name: "RalphError", code });

describe("a folder of learnings", () => {
  it("takes over the files that are in it, once, and leaves them as they are", async () => {
    const document = documentOf([learning(), learning({ id: "learn-2" })]);
    const folder = folderWith({
      "ralph-learnings.json": document,
      "staging.json": { version: "1.0.0", checksum: checksumOf(staged), staged },
    });
    const memory = new SemanticMemory(folder);
    expect(await memory.load()).toMatchObject({ learnings: document.learnings, checksum: document.checksum });
    expect((await new MemoryPromotion(folder).loadStaging()).staged).toEqual(staged);
    await memory.clear();
    await new MemoryPromotion(folder).clearStaging();
    const reopened = openLearningsFolder(folder);
    const verbs = learningVerbsOf(reopened);
    expect(JSON.parse((await verbs.export()).text).learnings).toEqual([]);
    expect(await verbs.listStaged()).toEqual([]);
    await reopened.close();
    expect(JSON.parse(readFileSync(join(folder, "ralph-learnings.json"), "utf8"))).toEqual(document);
  });

  it("takes over the automatic backup when the file is damaged", async () => {
    const good = documentOf([learning()]);
    const folder = folderWith({
      "ralph-learnings.json": { ...good, checksum: "0" },
      "ralph-learnings.json.bak": good,
    });
    expect((await new SemanticMemory(folder).load()).checksum).toBe(good.checksum);
  });

  it.each([
    ["does not match its checksum", { ...documentOf([learning()]), checksum: "0" }, "file-unusable"],
    ["is cut off", JSON.stringify(documentOf([learning()])).slice(0, -9), "file-unusable"],
    ["is newer", documentOf([learning()], { version: "2.0.0" }), "store-too-new"],
  ])("takes over nothing when the file %s, and goes on once it is good", async (_, content, code) => {
    const folder = folderWith({
      "ralph-learnings.json": content,
      "staging.json": { version: "1.0.0", checksum: checksumOf(staged), staged },
      ...(code === "file-unusable" && { "ralph-learnings.json.bak": "{}" }),
    });
    const memory = new SemanticMemory(folder);
    await expect(memory.load()).rejects.toThrow(refusal(code));
    await expect(memory.load()).rejects.toThrow(join(folder, "ralph-learnings.json"));
    await expect(memory.store("strategy", "feature", { description: "x" })).rejects.toThrow(RalphError);
    if (code === "file-unusable") expect(await memory.verify()).toMatchObject({ valid: false });
    writeFileSync(join(folder, "ralph-learnings.json"), JSON.stringify(documentOf([learning()])));
    expect((await memory.load()).learnings).toEqual([learning()]);
    expect((await new MemoryPromotion(folder).getStagingStats()).total).toBe(2);
  });

  it("takes over nothing when the staging area is damaged", async () => {
    const folder = folderWith({
      "ralph-learnings.json": documentOf([learning()]),
      "staging.json": { version: "1.0.0", checksum: "0", staged },
    });
    await expect(new SemanticMemory(folder).load()).rejects.toThrow(
      /staging\.json: The staging area does not match its checksum/,
    );
  });

  it("is not made by looking into it", async () => {
    const folder = join(scratchFolder(), "knowledge");
    expect(await new SemanticMemory(folder).query()).toEqual([]);
    expect(await new SemanticMemory(folder).retrieve("learn-1")).toBeNull();
    expect(await new SemanticMemory(folder).verify()).toEqual({ valid: true });
    await new MemoryPromotion(folder).clearStaging();
    expect(existsSync(folder)).toBe(false);
  });

  it("may be named by a relative path, and is one with its absolute path", async () => {
    const folder = relative(process.cwd(), join(scratchFolder(), "knowledge"));
    const { id } = await new SemanticMemory(folder).store("strategy", "feature", { description: "x" });
    expect(await new SemanticMemory(join(process.cwd(), folder)).retrieve(id)).toMatchObject({ id });
  });

  it("keeps its database out of git, and nothing else of a folder that was there", async () => {
    const project = scratchRepository();
    mkdirSync(join(project, "old"));
    writeFileSync(join(project, "old/ralph-learnings.json"), JSON.stringify(documentOf([])));
    for (const name of ["old", "new"])
      await new SemanticMemory(join(project, name)).store("strategy", "feature", { description: "x" });
    const untracked = git(project, "status", "--short", "--untracked-files=all");
    expect(untracked).toBe("?? old/ralph-learnings.json\n");
  });

  it("is closed when its last user closes it, and can be opened again", async () => {
    const folder = scratchFolder();
    const one = new SemanticMemory(folder);
    const other = new SemanticMemory(folder);
    await one.store("strategy", "feature", { description: "x" });
    await one.close();
    await one.close();
    await expect(one.query()).rejects.toThrow("closed");
    expect(await other.query()).toHaveLength(1);
    await other.close();
    expect(readdirSync(join(folder, "backups")).filter((name) => name.endsWith(".db"))).toHaveLength(1);
    expect(await new SemanticMemory(folder).query()).toHaveLength(1);
  });
});

describe("a document of learnings", () => {
  it("that is copied and made shorter takes out what is missing", async () => {
    const memory = new SemanticMemory(scratchFolder());
    await memory.save(documentOf([learning(), learning({ id: "learn-2" })]));
    const store = await memory.load();
    await memory.save({ ...store, learnings: [] });
    expect((await memory.load()).learnings).toEqual([]);
  });

  it("that was not loaded takes out nothing", async () => {
    const memory = new SemanticMemory(scratchFolder());
    await memory.save(documentOf([learning(), learning({ id: "learn-2" })]));
    await memory.save(documentOf([learning({ confidence: 0.5 })]));
    expect((await memory.load()).learnings.map(({ confidence }) => confidence)).toEqual([0.5, 0.85]);
  });

  it("changes only the fields that were changed in it", async () => {
    const memory = new SemanticMemory(scratchFolder());
    await memory.save(documentOf([learning({ category: "testing" })]));
    const store = await memory.load();
    await memory.retrieve("learn-abc123");
    const [first] = store.learnings;
    if (first !== undefined) first.confidence = 0.4;
    delete first?.category;
    await memory.save(store);
    const [saved] = (await memory.load()).learnings;
    expect(saved).toMatchObject({ confidence: 0.4, useCount: 6 });
    expect(saved).not.toHaveProperty("category");
  });

  it.each([
    ["confidence 1.7", documentOf([learning({ confidence: 1.7 })]), "file-unusable"],
    ["confidence NaN", documentOf([learning({ confidence: Number.NaN })]), "file-unusable"],
    ["an unknown type", documentOf([learning({ type: "stratgy" as never })]), "file-unusable"],
    ["no learnings", { version: "1.0.0" } as LearningsDocument, "file-unusable"],
    ["a newer version", documentOf([learning()], { version: "2.0.0" }), "store-too-new"],
  ])("with %s is refused, and nothing is changed", async (_, document, code) => {
    const memory = new SemanticMemory(scratchFolder());
    await memory.store("strategy", "feature", { description: "x" });
    const before = await memory.load();
    await expect(memory.save(document)).rejects.toThrow(refusal(code));
    expect(await memory.load()).toEqual(before);
  });
});

describe("wrong input to the published classes", () => {
  it("of a loop without iterations changes nothing", async () => {
    const folder = join(scratchFolder(), "knowledge");
    const promotion = new MemoryPromotion(folder);
    const { iterations: _iterations, ...loop } = authenticationLoop;
    for (const wrong of [loop, { ...loop, iterations: [] }, undefined]) {
      await expect(promotion.extract(wrong)).rejects.toThrow(refusal("wrong-use"));
      await expect(promotion.processPipeline(wrong)).rejects.toThrow(refusal("wrong-use"));
    }
    expect(existsSync(folder)).toBe(false);
  });

  it("of a learning is refused", async () => {
    const memory = new SemanticMemory(scratchFolder());
    const content = { description: "x" };
    const stores = [
      memory.store("stratgy" as never, "feature", content),
      memory.store("strategy", "", content),
      memory.store("strategy", "feature", undefined as never),
      memory.store("strategy", "feature", content, { confidence: 1.7 }),
      memory.store("strategy", "feature", content, { successRate: Number.NaN }),
      memory.store("strategy", "feature", content, { sourceLoops: "ralph-001" as never }),
    ];
    for (const result of await Promise.allSettled(stores))
      expect(result).toMatchObject({ status: "rejected", reason: { code: "wrong-use" } });
    expect(await memory.query()).toEqual([]);
    expect(() => new SemanticMemory("")).toThrow(refusal("wrong-use"));
  });
});

describe("a record that was changed behind the store's back", () => {
  it.each([
    ["in a figure", `replace(record, '"confidence":0.5', '"confidence":1.0')`],
    ["so that it cannot be read", "'{'"],
  ])("%s fails verification, is not backed up as good, and is restored", async (_, change) => {
    const folder = scratchFolder();
    const session = openLearningsFolder(folder);
    const learnings = learningVerbsOf(session);
    const memory = new SemanticMemory(folder);
    await memory.store("strategy", "feature", { description: "Keep it small" });
    const { checksum } = await memory.load();
    const good = await learnings.backUp();
    await tamper(folder, change);
    expect(await memory.verify()).toMatchObject({ valid: false, error: /^Checksum mismatch: learn-/ });
    await expect(learnings.backUp()).rejects.toThrow(refusal("store-damaged"));
    expect(await learnings.restore()).toEqual({ path: good, learnings: 1 });
    expect(await memory.verify()).toEqual({ valid: true });
    expect((await memory.load()).checksum).toBe(checksum);
    expect(await memory.query({ type: "strategy" })).toHaveLength(1);
    expect(readdirSync(join(folder, "backups")).filter((name) => name.startsWith("damaged-"))).toHaveLength(
      1,
    );
    await session.close();
  });
});

describe("relevance", () => {
  it("is as in the published calculations", async () => {
    const now = new Date("2026-02-03T00:00:00Z");
    const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1000).toISOString();
    const memory = await openMemory({
      root: scratchRepository(),
      environment: { RALPH_HOME: scratchFolder() },
      clock: () => now,
    });
    await new SemanticMemory(memory).save(
      documentOf([
        learning({ id: "learn-b", taskType: "feature", confidence: 0.9, updatedAt: daysAgo(60) }),
        learning({ id: "learn-a", confidence: 0.8, successRate: 0.75, updatedAt: daysAgo(10) }),
      ]),
    );
    const retrieval = new MemoryRetrieval(memory);
    const top = await retrieval.getTopLearnings({ objective: "Fix it", taskType: "test-fix" }, 10);
    expect(top.map(({ id, relevance }) => [id, relevance.toFixed(3)])).toEqual([
      ["learn-a", "0.859"],
      ["learn-b", "0.563"],
    ]);
    await retrieval.close();
    expect(await memory.learnings.list()).toHaveLength(2);
    await memory.close();
  });
});
