// What a person would have written down, and what waits for one.
const notes = [
  {
    content: "Start PostgreSQL with `docker compose up -d db` before the tests",
    type: "fix",
    tags: ["docker", "database"],
  },
  {
    content: "Amounts are integers in cents everywhere; format them only at the edge",
    type: "decision",
    tags: ["money"],
  },
  {
    content: "Handlers validate their input, then call one function of a service",
    type: "pattern",
    tags: ["api"],
  },
  { content: "The staging database is reset every night at 02:00 UTC", type: "context", tags: ["staging"] },
];

const findings = [
  {
    type: "strategy",
    taskType: "bug-fix",
    content: {
      description: "Reproduce a flaky test with a fixed seed before changing it",
      effectiveness: 0.8,
      iterations: 4,
    },
    confidence: 0.8,
    sourceLoops: ["task-001"],
    successRate: 1,
  },
  {
    type: "antipattern",
    taskType: "test-fix",
    content: {
      description: "Raising the retries hides a database that is locked",
      occurrences: 3,
      impact: "two more iterations",
      prevention: "Open it with journal_mode=WAL",
    },
    confidence: 0.7,
    sourceLoops: ["task-002", "task-005"],
    successRate: 0,
  },
  {
    type: "convention",
    taskType: "general",
    content: {
      pattern: "Configuration lives beside the package that reads it",
      examples: ["packages/cart/tsconfig.json"],
    },
    confidence: 0.6,
    sourceLoops: ["task-003"],
    successRate: 1,
  },
];

/** @param {(options: object) => Promise<import("../../dist/types/index.js").Memory>} openMemory */
export async function addNotesAndFindings(openMemory, { root, environment }) {
  const memory = await openMemory({ root, environment });
  for (const note of notes) await memory.notes.add(note);
  await memory.learnings.stage(findings);
  await memory.close();
}
