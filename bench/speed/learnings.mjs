import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { MemoryRetrieval, openMemory, SemanticMemory } from "../../dist/library/index.js";
import { makeWriter } from "./make-notes-file.mjs";
import { elapsedMs, medians, round, row } from "./measure.mjs";

const growthBar = 1.3;
const few = 1_000;
const retrievalRecords = 5_000;
/** What the file-based original takes for the same question at that size, and how many times faster this has to be. */
const originalMs = 123;
const timesFaster = 20;

/** Storing at many learnings against few, and the knowledge for a task. */
export async function measureLearnings(folder, { records, runs }) {
  return [await measureStoring(folder, records, runs), await measureRetrieval(folder, runs)];
}

async function measureStoring(folder, records, runs) {
  const stores = {};
  for (const count of [few, records]) {
    const memory = await openFilled(join(folder, `learnings-${count}`), count);
    let stored = count;
    stores[count] = () => {
      stored += 1;
      const { type, taskType, content, ...metadata } = makeLearning(stored);
      return elapsedMs(() => memory.learnings.add({ type, taskType, content, ...metadata }));
    };
  }
  const { [few]: atFew, [records]: atMany } = await medians(stores, Math.max(200, runs));
  return row(`store a learning at ${records} ÷ at ${few}`, atMany / atFew, growthBar, {
    median_ms: round(atMany),
    at: `${records} learnings`,
  });
}

async function measureRetrieval(folder, runs) {
  const memory = await openFilled(join(folder, "retrieval"), retrievalRecords);
  const { ask } = await medians(
    {
      ask: () =>
        elapsedMs(() =>
          new MemoryRetrieval(memory).getRelevantKnowledge({
            objective: "Fix failing authentication tests",
            filePatterns: [".test.ts"],
            errorPatterns: ["cannot find module"],
          }),
        ),
    },
    Math.max(100, runs),
  );
  return row("relevant knowledge (ms)", ask, originalMs / timesFaster, {
    median_ms: round(ask),
    at: `${retrievalRecords} learnings`,
  });
}

async function openFilled(root, count) {
  mkdirSync(root);
  const memory = await openMemory({ root, environment: { RALPH_HOME: join(root, "user-home") } });
  await fillLearnings(memory, count);
  return memory;
}

export async function fillLearnings(memory, count) {
  const time = new Date().toISOString();
  const learnings = Array.from({ length: count }, (_, index) => ({
    ...makeLearning(index),
    id: `learn-${String(index).padStart(12, "0")}`,
    createdAt: time,
    updatedAt: time,
    useCount: index % 7,
  }));
  await new SemanticMemory(memory).save({
    version: "1.0.0",
    checksum: "",
    lastUpdated: time,
    learnings,
    stats: {},
  });
}

const types = ["strategy", "antipattern", "estimate", "convention"];
const taskTypes = ["test-fix", "feature", "refactor", "bug-fix", "documentation", "performance", "general"];
const { sentence } = makeWriter(4);
const words =
  "login timeout cart discount parser socket cache schema index retry queue worker token mock".split(" ");
const word = (seed) => words[seed % words.length];

function makeLearning(index) {
  const type = types[index % types.length];
  const taskType = taskTypes[index % taskTypes.length];
  const statement = `Set the ${sentence(4, 9)} before ${word(index)} number ${index}`;
  const content =
    type === "convention"
      ? { pattern: statement, examples: [`src/${word(index)}-${index}.test.ts`] }
      : type === "estimate"
        ? { avgIterationTime: 1000 + index, totalIterations: 3, complexity: "medium" }
        : { description: statement };
  return {
    type,
    taskType,
    content,
    confidence: 0.3 + (index % 60) / 100,
    sourceLoops: [`loop-${index}`],
    successRate: type === "antipattern" ? 0 : 0.5 + (index % 50) / 100,
  };
}
