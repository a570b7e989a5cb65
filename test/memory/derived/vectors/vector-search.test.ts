import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { embedPending } from "../../../../src/memory/embed-pending.js";
import type { Notice } from "../../../../src/memory/notice.js";
import { openMemory } from "../../../../src/memory/open-memory.js";
import { projectOf } from "../../../../src/memory/project-of.js";
import { git, scratchRepository } from "../../../support/scratch.js";
import { writeWordVectors } from "../../../support/word-vectors.js";

const staticSettings = "embedder:\n  use: static\n  path: words.txt\n";

async function open({ settings = staticSettings, root = scratchRepository() } = {}) {
  writeWordVectors(root);
  writeFileSync(join(root, "ralph.yml"), settings);
  const notices: Notice[] = [];
  const memory = await openMemory({
    root,
    environment: { RALPH_HOME: join(root, ".home"), RALPH_TRUST: "1" },
    onNotice: (notice) => notices.push(notice),
  });
  onTestFinished(() => memory.close());
  return { memory, notices, root };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function addNotes({ memory }: Opened) {
  const contents = [
    "We ship with the blue script",
    "Postgres holds the orders",
    "The car park opens at nine",
    "Sign in with the company account",
  ];
  for (const content of contents) await memory.notes.add({ content });
}

const contentsFor = async ({ memory }: Opened, text: string) =>
  (await memory.notes.search({ text })).map(({ content }) => content);

describe("notes", () => {
  it("are found by their meaning once they are embedded", async () => {
    const opened = await open();
    await addNotes(opened);
    expect(await contentsFor(opened, "automobile")).toEqual([]);
    expect(await opened.memory.embed()).toEqual({
      model: "static words.txt",
      dimensions: 6,
      records: 4,
      waiting: 0,
      embedded: 4,
    });
    expect(await contentsFor(opened, "automobile")).toEqual(["The car park opens at nine"]);
    expect(await contentsFor(opened, "publish")).toEqual(["We ship with the blue script"]);
    expect(await contentsFor(opened, "nothing of that kind")).toEqual([]);
  });

  it("are recalled by their meaning, too", async () => {
    const opened = await open();
    await addNotes(opened);
    await opened.memory.embed();
    const { entries } = await opened.memory.recall({ objective: "automobile" });
    expect(entries.map(({ statement }) => statement)).toEqual(["The car park opens at nine"]);
  });

  it("are found by the same words in the same order where no embedder is set", async () => {
    const opened = await open();
    await addNotes(opened);
    await opened.memory.embed();
    const plain = await open({ settings: "memories:\n  enabled: true\n", root: opened.root });
    expect(await contentsFor(plain, "automobile")).toEqual([]);
    expect(plain.notices).toEqual([]);
    await expect(plain.memory.embed()).rejects.toThrow("No embedder is configured");
  });

  it("are embedded again after a change, and only then", async () => {
    const opened = await open();
    await addNotes(opened);
    await opened.memory.embed();
    expect(await opened.memory.embed()).toMatchObject({ embedded: 0, waiting: 0 });
    const [note] = await opened.memory.notes.search({ text: "car park" });
    await opened.memory.notes.edit(note?.id ?? "", { content: "The password is in the vault" });
    await opened.memory.notes.add({ content: "Paint the door blue" });
    expect(await opened.memory.embed()).toMatchObject({ embedded: 2, records: 5 });
    expect(await contentsFor(opened, "automobile")).toEqual([]);
    expect(await contentsFor(opened, "credential")).toContain("The password is in the vault");
    expect(await opened.memory.embed({ isAll: true })).toMatchObject({ embedded: 5 });
  });

  it("are embedded a few at a time where a limit is given", async () => {
    const opened = await open();
    await addNotes(opened);
    const steps: string[] = [];
    const onProgress = (done: number, total: number) => steps.push(`${done}/${total}`);
    expect(await opened.memory.embed({ limit: 3, onProgress })).toMatchObject({
      embedded: 3,
      waiting: 1,
    });
    expect(await opened.memory.embed({ onProgress })).toMatchObject({ embedded: 1, waiting: 0 });
    expect(steps).toEqual(["3/3", "1/1"]);
  });

  it("that are deleted are not found, and their vectors go", async () => {
    const opened = await open();
    await addNotes(opened);
    await opened.memory.embed();
    const [note] = await opened.memory.notes.search({ text: "automobile" });
    await opened.memory.notes.delete(note?.id ?? "");
    expect(await contentsFor(opened, "automobile")).toEqual([]);
    expect(await opened.memory.embed()).toMatchObject({ records: 3, embedded: 0 });
  });

  it("keep to the types, the tags and the age that are asked for", async () => {
    const opened = await open();
    mkdirSync(join(opened.root, ".agent"));
    writeFileSync(
      join(opened.root, ".agent/memories.md"),
      "# Memories\n\n## Patterns\n\n### mem-old\n> We drive on the left\n<!-- tags: | created: 2020-01-01 -->\n",
    );
    await opened.memory.notes.add({ content: "The car park opens at nine", type: "fix", tags: ["site"] });
    await opened.memory.notes.add({ content: "Every vehicle has a number", type: "context" });
    await opened.memory.embed();
    const found = async (selection: object) =>
      (await opened.memory.notes.search({ text: "automobile", ...selection })).map(({ type }) => type);
    expect((await found({})).sort()).toEqual(["context", "fix", "pattern"]);
    expect((await found({ recentDays: 30 })).sort()).toEqual(["context", "fix"]);
    expect(await found({ types: ["fix"] })).toEqual(["fix"]);
    expect(await found({ tags: ["site"] })).toEqual(["fix"]);
  });

  it("that are too long for one vector are found by their words, in the same place", async () => {
    const opened = await open();
    await opened.memory.notes.add({ content: `Every vehicle has a number. ${"And so on. ".repeat(200)}` });
    await opened.memory.notes.add({ content: "The car park opens at nine" });
    expect(await opened.memory.embed()).toMatchObject({ records: 1, embedded: 1 });
    expect(await contentsFor(opened, "automobile")).toEqual(["The car park opens at nine"]);
    expect((await contentsFor(opened, "vehicle number"))[0]).toContain("Every vehicle");
  });

  it("with an identifier of the question stay on top", async () => {
    const opened = await open({ settings: `${staticSettings}  weight: 1\n` });
    await opened.memory.notes.add({ content: "parseConfig reads the file" });
    for (const content of ["Deploy and release", "Publish a release", "Ship it"])
      await opened.memory.notes.add({ content });
    await opened.memory.embed();
    expect((await contentsFor(opened, "does parseConfig deploy, release or publish"))[0]).toContain("Config");
  });

  it("of a worktree keep their vectors when another one embeds", async () => {
    const opened = await open({ settings: `${staticSettings}memories:\n  scope: repository\n` });
    await addNotes(opened);
    git(opened.root, "add", ".");
    git(opened.root, "commit", "--quiet", "--message=notes");
    git(opened.root, "worktree", "add", "--quiet", join(opened.root, ".side"), "-b", "side");
    const side = await open({ root: join(opened.root, ".side") });
    await side.memory.embed();
    expect(await side.memory.embed()).toMatchObject({ embedded: 0 });
    await opened.memory.embed();
    expect(await side.memory.embed()).toMatchObject({ embedded: 0 });
    expect(await contentsFor(side, "automobile")).toEqual(["The car park opens at nine"]);
  });
});

describe("tasks", () => {
  it("are found by their meaning, by what was learned too", async () => {
    const opened = await open();
    const { memory } = opened;
    await memory.tasks.init({ description: "Make the query faster" });
    await memory.tasks.init({ description: "Rework the header" });
    await memory.tasks.start("task-002");
    await memory.tasks.complete("task-002", { outcome: "failure", reason: "wrong paint" });
    await memory.embed();
    const found = async (text: string) => (await memory.tasks.search({ text })).map(({ id }) => id);
    expect(await found("postgres")).toEqual(["task-001"]);
    expect(await found("colour")).toEqual(["task-002"]);
  });
});

describe("similar tasks", () => {
  const objective = "Scrolling the thumbnail carousel is sluggish in the archive";

  async function finishTwo({ memory }: Opened) {
    for (const description of [
      "The thumbnail carousel of the gallery has a high latency",
      "The thumbnail carousel of the gallery is painted blue",
    ]) {
      const { id } = await memory.tasks.init({ description });
      await memory.tasks.start(id);
      await memory.tasks.complete(id, { outcome: "success" });
    }
  }

  const similarTo = async ({ memory }: Opened) =>
    new Map(
      (await memory.tasks.similar({ objective, threshold: 0 })).map((task) => [task.task_id, task] as const),
    );

  it("are more similar if they mean the same, and less if they do not", async () => {
    const opened = await open();
    await finishTwo(opened);
    const byWords = await similarTo(opened);
    expect(byWords.get("task-001")?.parts).not.toHaveProperty("vectors");
    await opened.memory.embed();
    const byVectors = await similarTo(opened);
    const change = (id: string) => (byVectors.get(id)?.similarity ?? 0) - (byWords.get(id)?.similarity ?? 0);
    expect(change("task-001")).toBeGreaterThan(0.01);
    expect(change("task-002")).toBeLessThan(-0.01);
    expect(byVectors.get("task-001")?.parts.vectors).toBeGreaterThan(0.5);
    const { entries } = await opened.memory.recall({ objective });
    expect(entries.filter(({ kind }) => kind === "task").map(({ id }) => id)).toEqual(["task-001"]);
  });

  it("are compared by words alone without an embedder, or with a weight of 0", async () => {
    const opened = await open();
    await finishTwo(opened);
    const byWords = [...(await similarTo(opened)).values()];
    await opened.memory.embed();
    for (const settings of ["memories:\n  enabled: true\n", `${staticSettings}  weight: 0\n`]) {
      const plain = await open({ settings, root: opened.root });
      expect([...(await similarTo(plain)).values()]).toEqual(byWords);
    }
  });
});

describe("a long command", () => {
  it("embeds what waits", async () => {
    const opened = await open();
    await addNotes(opened);
    await opened.memory.learnings.consolidate({ since: "2026-01-01T00:00:00Z" });
    expect(await contentsFor(opened, "automobile")).toHaveLength(1);
    await opened.memory.rebuildIndex();
    expect(await contentsFor(opened, "automobile")).toHaveLength(1);
    expect(await opened.memory.embed()).toMatchObject({ embedded: 0, waiting: 0 });
    await opened.memory.notes.add({ content: "Paint the door blue" });
    await embedPending(projectOf(opened.memory), 1);
    expect(await opened.memory.embed()).toMatchObject({ embedded: 0, records: 5 });
  });

  it("embeds nothing where no embedder is set, and makes no memory for it", async () => {
    const root = scratchRepository();
    const plain = await open({ settings: "memories:\n  enabled: true\n", root });
    await embedPending(projectOf(plain.memory));
    expect(existsSync(join(root, ".ralph"))).toBe(false);
  });
});

describe("an embedder that cannot be used", () => {
  it("leaves searches to words, and is told of once", async () => {
    const opened = await open();
    await addNotes(opened);
    await opened.memory.embed();
    rmSync(join(opened.root, "words.txt"));
    const later = await openMemory({
      root: opened.root,
      environment: { RALPH_HOME: join(opened.root, ".home"), RALPH_TRUST: "1" },
      onNotice: (notice) => opened.notices.push(notice),
    });
    onTestFinished(() => later.close());
    for (const text of ["car", "postgres"]) expect(await later.notes.search({ text })).toHaveLength(1);
    expect(opened.notices).toEqual([
      expect.objectContaining({
        kind: "embedder-unusable",
        message: expect.stringContaining("words.txt") as string,
      }),
    ]);
    const { isHealthy, checks } = await later.checkHealth({ repair: false });
    expect(isHealthy).toBe(true);
    expect(checks.find(({ part }) => part === "embedder")).toMatchObject({
      status: "warning",
      detail: expect.stringContaining("4 of 4 records") as string,
    });
  });

  it("does not stop the index from being rebuilt", async () => {
    const opened = await open({ settings: "embedder:\n  use: static\n  path: missing.txt\n" });
    await addNotes(opened);
    expect(await opened.memory.rebuildIndex()).toEqual({ notes: 4 });
    expect(opened.notices).toMatchObject([{ kind: "embedder-unusable" }]);
  });

  it("names the package that is missing", async () => {
    const opened = await open({ settings: "embedder: minilm\n" });
    await addNotes(opened);
    await expect(opened.memory.embed()).rejects.toMatchObject({
      code: "missing-package",
      hint: expect.stringContaining("npm install @huggingface/transformers") as string,
    });
  });
});

describe("a change of the model", () => {
  it("leaves the vectors of the old one unused until all are made anew", async () => {
    const opened = await open();
    await addNotes(opened);
    await opened.memory.embed();
    writeWordVectors(opened.root, "other.txt");
    writeFileSync(join(opened.root, "ralph.yml"), staticSettings.replace("words", "other"));
    expect(await contentsFor(opened, "automobile")).toEqual([]);
    expect(await opened.memory.embed()).toMatchObject({ model: "static other.txt", embedded: 4 });
    expect(await contentsFor(opened, "automobile")).toHaveLength(1);
  });
});
