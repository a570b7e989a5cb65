import { describe, expect, it } from "vitest";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { describeLayout, exportTo, read, take, write } from "./layout-contract.js";

const [first, second, third] = ["1", "2", "3"].map(
  (digit) => `${digit.repeat(8)}-aaaa-4bbb-8ccc-${digit.repeat(12)}`,
);

/** As the published schema has it, and as its tool writes it: a short entry, and a file of its own with texts. */
const published = {
  task_id: first,
  task_description: "Cache the exchange rates",
  task_type: "implementation",
  timestamp: "2026-01-05T09:00:00.000Z",
  embedding_path: `embeddings/${first}.json`,
  outcome: "partial",
  iterations: 4,
  final_quality: 0.6,
  reflections: [
    { iteration: 2, content: "Rates were stale", type: "error_analysis", effectiveness: "helpful", by: "x" },
    { content: "Expire after an hour", type: "strategy_adjustment" },
  ],
  key_learnings: ["Expire by time"],
  tags: ["cache"],
};
const short = {
  task_id: second,
  task_description: "Fix rounding of invoices",
  task_type: "spike",
  timestamp: 1767693600,
  outcome: "success",
  tags: ["fix"],
  final_quality: 0.9,
};

const files = {
  "task-index.json": {
    version: "1.0.0",
    last_updated: "2026-01-06T10:00:00.000Z",
    tasks: [published, short],
  },
  [`tasks/${second}.json`]: {
    ...short,
    iterations: 3,
    reflections: ["Invoices add floats"],
    key_learnings: ["Money as integer cents"],
  },
  [`tasks/${third}.json`]: {
    task_id: third,
    task_description: "Document the ledger export",
    timestamp: "2026-01-07",
    iterations: [{ n: 1 }],
  },
  [`embeddings/${first}.json`]: { task_id: first, model: "m", dimensions: 2, embedding: [0.6, 0.8] },
};

describeLayout({
  layout: "cross-task",
  files,
  counts: { task: 3, kept: 1 },
  found: ["Cache the exchange rates", "Fix rounding of invoices", "Document the ledger export"],
  saying: (text) => ({
    ...files,
    "task-index.json": {
      ...files["task-index.json"],
      tasks: [{ ...published, reflections: [{ content: text }] }, short],
    },
  }),
  json: "task-index.json",
});

describe("a task of cross-task memory that goes on here", () => {
  it("is written back with what changed, and with nothing else", async () => {
    const memory = await openScratchMemory();
    await take(memory, { layout: "cross-task" }, write(files));
    const [task] = await memory.tasks.search({ text: "rounding of invoices" });
    await memory.tasks.reflect(task?.id ?? "", { observation: "Round once, at the end" });
    const written = read(await exportTo(memory, "cross-task"));
    expect(written["task-index.json"]).toEqual(files["task-index.json"]);
    expect(written[`tasks/${second}.json`]).toEqual({
      ...files[`tasks/${second}.json`],
      reflections: ["Invoices add floats", "Round once, at the end"],
      key_learnings: ["Money as integer cents", "Round once, at the end"],
    });
  });
});
