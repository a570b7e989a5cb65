import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  LearningExtractor,
  type LearningsDocument,
  MemoryPromotion,
  MemoryRetrieval,
  SemanticMemory,
} from "../../../../src/index.js";
import { authenticationLoop, completed, failed } from "../../../support/published-loops.js";
import { scratchRepository } from "../../../support/scratch.js";

/** The current folder is a new project for the rest of the test. */
function enterProject(): string {
  const folder = scratchRepository();
  const before = { folder: process.cwd(), home: process.env.RALPH_HOME };
  process.chdir(folder);
  process.env.RALPH_HOME = join(folder, ".home");
  onTestFinished(async () => {
    process.chdir(before.folder);
    if (before.home === undefined) delete process.env.RALPH_HOME;
    else process.env.RALPH_HOME = before.home;
  });
  return folder;
}

/** A console that keeps what is printed. */
function recorder() {
  const printed: string[] = [];
  const keep = (...texts: unknown[]) => void printed.push(...texts.join(" ").split("\n"));
  return { log: keep, error: keep, printed };
}

const filled = (lines: readonly string[]) => lines.map((line) => line.trim()).filter((line) => line !== "");

/** Learnings that the published outputs show. */
async function storeKnown(memory: SemanticMemory): Promise<void> {
  const strategy = (description: string, effectiveness: number) =>
    memory.store(
      "strategy",
      "test-fix",
      { description, effectiveness },
      { confidence: effectiveness, sourceLoops: ["ralph-001"], successRate: effectiveness },
    );
  const antipattern = (taskType: string, description: string) =>
    memory.store("antipattern", taskType, { description }, { confidence: 0.75, successRate: 0 });
  await strategy("Incremental implementation", 0.78);
  await strategy("Test-driven development approach", 0.85);
  await antipattern("test-fix", "Avoid: Syntax errors - check code carefully before execution");
  await memory.store(
    "estimate",
    "test-fix",
    { avgIterationTime: 45_000, totalIterations: 3, complexity: "medium", successRate: 0.85 },
    { confidence: 0.6, sourceLoops: ["ralph-001"], successRate: 0.85 },
  );
}

describe("the published usage examples", () => {
  it("1: run the complete pipeline", async () => {
    enterProject();
    mkdirSync(".aiwg/ralph-external", { recursive: true });
    writeFileSync(".aiwg/ralph-external/state.json", JSON.stringify(authenticationLoop));
    const console = recorder();

    const loopState = JSON.parse(readFileSync(".aiwg/ralph-external/state.json", "utf8"));
    const promotion = new MemoryPromotion();
    const result = await promotion.processPipeline(loopState, {
      autoValidate: true,
      clearAfter: true,
    });
    console.log(`
Extracted: ${result.extracted} learnings
Validated: ${result.validated}
Rejected: ${result.rejected}
Promoted: ${result.promoted} to L3
`);

    expect(filled(console.printed)).toEqual([
      "Extracted: 5 learnings",
      "Validated: 4",
      "Rejected: 1",
      "Promoted: 4 to L3",
    ]);
  });

  it("2: retrieve knowledge for a new loop", async () => {
    enterProject();
    await storeKnown(new SemanticMemory());
    const console = recorder();

    const retrieval = new MemoryRetrieval();
    const knowledge = await retrieval.getRelevantKnowledge({
      objective: "Fix failing authentication tests",
      taskType: "test-fix",
    });
    const prompt = `
You are working on: Fix failing authentication tests

${knowledge.summary}

Begin iteration 1...
`;
    console.log(prompt);

    expect(console.printed.join("\n")).toBe(`
You are working on: Fix failing authentication tests

## Knowledge Base (from previous loops)

## Proven Strategies
- Test-driven development approach (effectiveness: 85%)
- Incremental implementation (effectiveness: 78%)

## Anti-Patterns to Avoid
- Avoid: Syntax errors - check code carefully before execution

## Time/Iteration Estimates
- Similar tasks: ~3 iterations, ~45s per iteration

Begin iteration 1...
`);
  });

  it("3: promote by hand after a review", async () => {
    enterProject();
    const loopState = authenticationLoop;
    const confirm = (_question: string) => true;
    const console = recorder();

    const promotion = new MemoryPromotion();
    const extractResult = await promotion.extract(loopState);
    console.log(`Extracted ${extractResult.extracted} learnings`);
    const validateResult = await promotion.validateStaged();
    console.log(`Validated: ${validateResult.validated}, Rejected: ${validateResult.rejected}`);
    const staging = await promotion.loadStaging();
    console.log("\nStaged Learnings:");
    for (const staged of staging.staged) {
      console.log(`${staged.id}: ${staged.status}`);
      if (staged.status === "rejected") {
        console.log(` Reason: ${staged.rejectionReason}`);
      } else if (staged.status === "validated") {
        console.log(` Type: ${staged.learning.type}, Confidence: ${staged.learning.confidence}`);
      }
    }
    const stats = await promotion.getStagingStats();
    const shouldPromote = confirm("Promote validated learnings to L3?");
    if (shouldPromote) {
      const promoteResult = await promotion.promote({ clearAfter: true });
      console.log(`Promoted ${promoteResult.promoted} learnings`);
    } else {
      console.log("Promotion cancelled");
    }

    expect(extractResult).toEqual({ extracted: 5, staged: 5 });
    expect(validateResult).toEqual({ validated: 4, rejected: 1 });
    expect(stats).toEqual({ total: 5, pending: 0, validated: 4, rejected: 1 });
    expect(filled(console.printed).map((line) => line.replace(/^stage-\d+-/, "stage-"))).toEqual([
      "Extracted 5 learnings",
      "Validated: 4, Rejected: 1",
      "Staged Learnings:",
      "stage-0: validated",
      "Type: strategy, Confidence: 0.9",
      "stage-1: validated",
      "Type: antipattern, Confidence: 0.8",
      "stage-2: rejected",
      "Reason: Confidence too low (< 0.3)",
      "stage-3: validated",
      "Type: convention, Confidence: 0.7",
      "stage-4: validated",
      "Type: convention, Confidence: 0.8",
      "Promoted 4 learnings",
    ]);
    expect(staging).toMatchObject({ version: "1.0.0", lastUpdated: staging.staged[0]?.validatedAt });
    const checksum = new SemanticMemory().calculateChecksum(staging.staged as never);
    expect(staging.checksum).toBe(checksum);
  });

  it("4: query types of learnings", async () => {
    enterProject();
    await storeKnown(new SemanticMemory());
    const console = recorder();

    const memory = new SemanticMemory();
    const strategies = await memory.query({
      type: "strategy",
      taskType: "test-fix",
      minConfidence: 0.7,
      minSuccessRate: 0.8,
    });
    console.log("High-confidence test-fix strategies:");
    for (const strategy of strategies) {
      console.log(`- ${strategy.content.description} (${strategy.confidence})`);
    }
    const antipatterns = await memory.query({
      type: "antipattern",
      limit: 5,
    });
    console.log("\nRecent anti-patterns:");
    for (const ap of antipatterns) {
      console.log(`- ${ap.content.description}`);
    }

    expect(filled(console.printed)).toEqual([
      "High-confidence test-fix strategies:",
      "- Test-driven development approach (0.85)",
      "Recent anti-patterns:",
      "- Avoid: Syntax errors - check code carefully before execution",
    ]);
  });

  it("5: antipatterns that the errors at hand show come first", async () => {
    enterProject();
    const known = new SemanticMemory();
    const permission = "Avoid: Permission errors - check file/directory permissions";
    const missing = "Avoid: Module not found - verify dependencies installed";
    await known.store("antipattern", "bug-fix", { description: permission }, { confidence: 0.8 });
    await known.store("antipattern", "test-fix", { description: missing }, { confidence: 0.4 });
    const console = recorder();

    const retrieval = new MemoryRetrieval();
    const knowledge = await retrieval.getRelevantKnowledge({
      objective: "Fix module imports",
      errorPatterns: ["cannot find module", "module not found"],
    });
    console.log("Relevant anti-patterns:");
    for (const ap of knowledge.antipatterns) {
      console.log(`- ${ap.content.description}`);
    }

    expect(console.printed).toEqual(["Relevant anti-patterns:", `- ${missing}`, `- ${permission}`]);
  });

  it("6: learn across loops", async () => {
    enterProject();
    const console = recorder();

    const loop1 = authenticationLoop;
    const promotion = new MemoryPromotion();
    const result1 = await promotion.processPipeline(loop1);
    console.log(`Loop 1: Promoted ${result1.promoted} learnings`);
    const loop2 = {
      loopId: "ralph-002",
      objective: "Fix database connection tests",
      status: "completed",
      currentIteration: 2,
      iterations: [
        completed(1, 40_000, ["Wrote the tests first"]),
        completed(2, 50_000, ["Test-driven again, one function at a time"]),
      ],
    };
    const retrieval = new MemoryRetrieval();
    const knowledge = await retrieval.getRelevantKnowledge({
      objective: loop2.objective,
      taskType: "test-fix",
    });
    console.log("\nLoop 2 starts with knowledge from Loop 1:");
    console.log(knowledge.summary);
    const result2 = await promotion.processPipeline(loop2);
    console.log(`\nLoop 2: Promoted ${result2.promoted} learnings`);
    const loop3 = {
      loopId: "ralph-003",
      objective: "Fix API endpoint tests",
      status: "completed",
      currentIteration: 2,
      iterations: [failed(1, "Operation timed out"), completed(2, 30_000, ["Tests first"])],
    };
    const knowledge3 = await retrieval.getRelevantKnowledge({
      objective: loop3.objective,
      taskType: "test-fix",
    });
    console.log("\nLoop 3 starts with knowledge from Loops 1 & 2:");
    console.log(knowledge3.summary);
    const memory = new SemanticMemory();
    const stats = await memory.getStats();
    console.log(`\nKnowledge base: ${stats.totalSize} learnings`);
    console.log(`Strategies: ${stats.byType.strategy}`);
    console.log(`Anti-patterns: ${stats.byType.antipattern}`);

    const printed = filled(console.printed);
    expect(printed.filter((line) => line.startsWith("Loop"))).toEqual([
      "Loop 1: Promoted 4 learnings",
      "Loop 2 starts with knowledge from Loop 1:",
      "Loop 2: Promoted 4 learnings",
      "Loop 3 starts with knowledge from Loops 1 & 2:",
    ]);
    expect(printed.slice(-3)).toEqual(["Knowledge base: 5 learnings", "Strategies: 1", "Anti-patterns: 1"]);
    expect(knowledge3.summary).toContain("- Similar tasks: ~2 iterations, ~45s per iteration");
    expect(knowledge3.strategies[0]?.sourceLoops).toEqual(["ralph-001", "ralph-002"]);
  });
});

describe("the published snippets for data management", () => {
  it("show what is stored", async () => {
    enterProject();
    await storeKnown(new SemanticMemory());
    const console = recorder();

    const memory = new SemanticMemory();
    const stats = await memory.getStats();
    console.log("Knowledge Base Statistics:");
    console.log(`Total learnings: ${stats.totalSize}`);
    console.log(`Last updated: ${stats.lastUpdated}`);
    console.log(`Average confidence: ${stats.averageConfidence.toFixed(2)}`);
    console.log(`Average success rate: ${stats.averageSuccessRate.toFixed(2)}`);
    console.log("\nBy Type:");
    console.log(` Strategies: ${stats.byType.strategy}`);
    console.log(` Anti-patterns: ${stats.byType.antipattern}`);
    console.log(` Estimates: ${stats.byType.estimate}`);
    console.log(` Conventions: ${stats.byType.convention}`);
    console.log("\nBy Task Type:");
    for (const [taskType, count] of Object.entries(stats.byTaskType)) {
      console.log(` ${taskType}: ${count}`);
    }

    expect(filled(console.printed).filter((line) => !line.startsWith("Last updated: 20"))).toEqual([
      "Knowledge Base Statistics:",
      "Total learnings: 4",
      "Average confidence: 0.74",
      "Average success rate: 0.62",
      "By Type:",
      "Strategies: 2",
      "Anti-patterns: 1",
      "Estimates: 1",
      "Conventions: 0",
      "By Task Type:",
      "test-fix: 4",
    ]);
  });

  it("remove weak, stale and unused learnings, one after the other, and nothing that others added", async () => {
    enterProject();
    const seeded = new SemanticMemory();
    const now = new Date().toISOString();
    const record = (id: string, fields: object) => ({
      ...{ id, type: "strategy", taskType: "feature", content: { description: `Do ${id}` }, confidence: 0.8 },
      ...{ sourceLoops: [], createdAt: now, updatedAt: now, useCount: 1, successRate: 0.8 },
      ...fields,
    });
    const learnings = [
      record("learn-good", {}),
      record("learn-weak", { confidence: 0.2 }),
      record("learn-stale", { updatedAt: "2020-01-01T00:00:00.000Z" }),
      record("learn-unused", { useCount: 0 }),
    ];
    await seeded.save({ version: "1.0.0", learnings } as unknown as LearningsDocument);
    const console = recorder();

    const memory = new SemanticMemory();
    const store = await memory.load();
    const added = await new SemanticMemory().store("strategy", "feature", { description: "Added meanwhile" });
    await new SemanticMemory().retrieve("learn-good");
    const threshold = 0.4;
    const before = store.learnings.length;
    store.learnings = store.learnings.filter((l) => l.confidence >= threshold && l.successRate >= threshold);
    const after = store.learnings.length;
    await memory.save(store);
    console.log(`Removed ${before - after} low-quality learnings`);
    const ids = async () => (await memory.load()).learnings.map(({ id }) => id);
    expect(await ids()).toEqual(["learn-good", "learn-stale", "learn-unused", added.id]);

    const cutoffDate = new Date();
    cutoffDate.setDate(cutoffDate.getDate() - 90);
    store.learnings = store.learnings.filter((l) => new Date(l.updatedAt) >= cutoffDate);
    await memory.save(store);
    console.log(`Removed stale learnings older than 90 days`);
    expect(await ids()).toEqual(["learn-good", "learn-unused", added.id]);

    store.learnings = store.learnings.filter((l) => l.useCount > 0);
    await memory.save(store);
    console.log("Removed learnings that were never retrieved");
    expect(await ids()).toEqual(["learn-good", added.id]);

    expect((await memory.load()).learnings[0]?.useCount).toBe(2);
    expect(console.printed).toEqual([
      "Removed 1 low-quality learnings",
      "Removed stale learnings older than 90 days",
      "Removed learnings that were never retrieved",
    ]);
  });

  it("clear the staging area", async () => {
    enterProject();
    const promotion = new MemoryPromotion();
    await promotion.extract(authenticationLoop);
    await promotion.clearStaging();
    expect(await promotion.getStagingStats()).toEqual({ total: 0, pending: 0, validated: 0, rejected: 0 });
    expect((await promotion.loadStaging()).staged).toEqual([]);
  });

  it("restore a file from its automatic backup and verify it", async () => {
    const folder = enterProject();
    const directory = join(folder, ".aiwg/knowledge");
    await storeKnown(new SemanticMemory("other"));
    mkdirSync(directory, { recursive: true });
    writeFileSync(
      join(directory, "ralph-learnings.json.bak"),
      JSON.stringify(await new SemanticMemory("other").load(), null, 2),
    );
    cpSync(join(directory, "ralph-learnings.json.bak"), join(directory, "ralph-learnings.json"));
    const console = recorder();

    const memory = new SemanticMemory(".aiwg/knowledge");
    const verification = await memory.verify();
    if (verification.valid) {
      console.log("Store integrity verified");
    } else {
      console.error("Integrity check failed:", verification.error);
    }

    expect(console.printed).toEqual(["Store integrity verified"]);
    expect((await memory.load()).checksum).toBe((await new SemanticMemory("other").load()).checksum);
  });

  it("merge two stores", async () => {
    const path = enterProject();
    const shared = await new SemanticMemory(`${path}/project1/.aiwg/knowledge`).store("strategy", "feature", {
      description: "Known in both",
    });
    await new SemanticMemory(`${path}/project2/.aiwg/knowledge`).save({
      version: "1.0.0",
      learnings: [shared],
    } as unknown as LearningsDocument);
    await storeKnown(new SemanticMemory(`${path}/project2/.aiwg/knowledge`));
    const console = recorder();

    const memory1 = new SemanticMemory(`${path}/project1/.aiwg/knowledge`);
    const store1 = await memory1.load();
    const memory2 = new SemanticMemory(`${path}/project2/.aiwg/knowledge`);
    const store2 = await memory2.load();
    const merged = new Map();
    for (const learning of store1.learnings) {
      merged.set(learning.id, learning);
    }
    for (const learning of store2.learnings) {
      if (!merged.has(learning.id)) {
        merged.set(learning.id, learning);
      }
    }
    const mergedStore = {
      ...store1,
      learnings: Array.from(merged.values()),
    };
    const memoryMerged = new SemanticMemory(`${path}/merged/.aiwg/knowledge`);
    await memoryMerged.save(mergedStore);
    console.log(
      `Merged ${store1.learnings.length} + ${store2.learnings.length} = ${mergedStore.learnings.length} learnings`,
    );

    expect(console.printed).toEqual(["Merged 1 + 5 = 5 learnings"]);
    expect((await memoryMerged.load()).learnings).toEqual(mergedStore.learnings);
    expect((await memory1.load()).learnings).toHaveLength(1);
  });

  it("export to CSV", async () => {
    enterProject();
    await storeKnown(new SemanticMemory());
    const console = recorder();

    const memory = new SemanticMemory();
    const store = await memory.load();
    let csv = "id,type,taskType,confidence,successRate,useCount,createdAt\n";
    for (const learning of store.learnings) {
      csv += `${learning.id},${learning.type},${learning.taskType},${learning.confidence},${learning.successRate},${learning.useCount},${learning.createdAt}\n`;
    }
    writeFileSync("ralph-learnings.csv", csv);
    console.log("Exported to ralph-learnings.csv");

    const lines = readFileSync("ralph-learnings.csv", "utf8").split("\n");
    expect(lines).toHaveLength(6);
    expect(lines[1]).toMatch(/^learn-[0-9a-f]{12},strategy,test-fix,0\.78,0\.78,0,20\d\d-/);
  });

  it("export to JSON and import it elsewhere", async () => {
    enterProject();
    await storeKnown(new SemanticMemory("source"));
    writeFileSync("ralph-export.json", JSON.stringify(await new SemanticMemory("source").load(), null, 2));
    const console = recorder();

    const memory = new SemanticMemory();
    const importedStore = JSON.parse(readFileSync("ralph-export.json", "utf8"));
    const expectedChecksum = memory.calculateChecksum(importedStore.learnings);
    if (importedStore.checksum !== expectedChecksum) {
      console.error("Import failed: Checksum mismatch");
      process.exit(1);
    }
    await memory.save(importedStore);
    console.log(`Imported ${importedStore.learnings.length} learnings`);

    expect(console.printed).toEqual(["Imported 4 learnings"]);
    expect(await memory.load()).toEqual(importedStore);
  });
});

describe("the published snippets of each class", () => {
  it("store, retrieve, update, delete and clear", async () => {
    enterProject();
    const memory = new SemanticMemory();
    const learning = await memory.store(
      "strategy",
      "test-fix",
      { description: "Test-driven development approach", effectiveness: 0.85 },
      { confidence: 0.85, sourceLoops: ["ralph-001"], successRate: 0.85 },
    );
    expect(learning).toMatchObject({ id: expect.stringMatching(/^learn-/), type: "strategy", useCount: 0 });
    expect(await memory.retrieve(learning.id)).toMatchObject({ id: learning.id, useCount: 1 });
    expect(await memory.retrieve("learn-abc123")).toBeNull();
    expect(
      await memory.update(learning.id, { confidence: 0.9, id: "learn-x", sourceLoops: [], createdAt: "now" }),
    ).toMatchObject({ id: learning.id, confidence: 0.9, sourceLoops: ["ralph-001"] });
    expect(await memory.update("learn-abc123", { confidence: 0.9 })).toBeNull();
    expect(await memory.update("learn-", { confidence: 0.1 })).toBeNull();
    expect((await memory.getStats()).mostUsedLearning).toMatchObject({ id: learning.id, confidence: 0.9 });
    expect(await memory.delete(learning.id)).toBe(true);
    expect(await memory.delete(learning.id)).toBe(false);
    await storeKnown(memory);
    await memory.clear();
    expect((await memory.load()).learnings).toEqual([]);
  });

  it("extract and detect the type of a task", () => {
    const extractor = new LearningExtractor();
    expect(extractor.detectTaskType("Fix failing tests")).toBe("test-fix");
    const learnings = extractor.extractFromLoop(authenticationLoop);
    expect(learnings.map(({ type }) => type)).toEqual([
      "strategy",
      "antipattern",
      "estimate",
      "convention",
      "convention",
    ]);
  });

  it("retrieve by errors, files, task type and rank", async () => {
    enterProject();
    await storeKnown(new SemanticMemory());
    await new MemoryPromotion().processPipeline(authenticationLoop);
    const retrieval = new MemoryRetrieval();
    const antipatterns = await retrieval.getAntiPatterns({
      objective: "Debug import error",
      errorPatterns: ["cannot find module"],
    });
    expect(antipatterns).toHaveLength(1);
    const conventions = await retrieval.getFileConventions([".test.ts", "src/"]);
    expect(conventions).toHaveLength(2);
    expect((await retrieval.getEstimate("test-fix", "medium"))?.content.totalIterations).toBe(3);
    expect(await retrieval.getEstimate("feature", "low")).toBeNull();
    const top = await retrieval.getTopLearnings({ objective: "Implement feature", taskType: "feature" }, 2);
    expect(top).toHaveLength(2);
    expect(top[0]?.relevance).toBeGreaterThan(top[1]?.relevance ?? 1);
    expect((await new SemanticMemory().getStats()).mostUsedLearning).toBeNull();
    const knowledge = await retrieval.getRelevantKnowledge({ objective: "Fix failing tests" });
    expect(retrieval.formatSummary(knowledge)).toBe(knowledge.summary);
  });

  it("keep what was put into a prompt when unused learnings are removed", async () => {
    enterProject();
    const memory = new SemanticMemory();
    await storeKnown(memory);
    await memory.store("strategy", "deployment", { description: "Drain the old nodes first" });
    const knowledge = await new MemoryRetrieval().getRelevantKnowledge({ objective: "Fix failing tests" });
    const shown = [...knowledge.strategies, ...knowledge.antipatterns, ...knowledge.estimates];
    expect(shown).toHaveLength(4);
    const store = await memory.load();
    store.learnings = store.learnings.filter(({ useCount }) => useCount > 0);
    await memory.save(store);
    const left = (await memory.query()).map(({ id }) => id);
    expect(left.toSorted()).toEqual(shown.map(({ id }) => id).toSorted());
  });

  it("validate a single learning", () => {
    const promotion = new MemoryPromotion();
    const [learning] = new LearningExtractor().extractFromLoop(authenticationLoop);
    expect(promotion.validate(learning)).toEqual({ valid: true });
    expect(promotion.validate({ ...learning, confidence: Number.NaN })).toEqual({
      valid: false,
      reason: "Confidence must be between 0 and 1",
    });
  });
});
