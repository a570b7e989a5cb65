// A history to look at: tasks of a few families over six weeks, some of them in a control group. What a task was shown makes it
// quicker, so that the figures have something to tell. The same with each run: no clock, no chance.
import { families, names } from "../bench/helps/families.mjs";

/** Numbers that look like chance, from a seed. */
function chances(seed) {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/**
 * @param {(options: object) => Promise<import("../dist/types/index.js").Memory>} openMemory
 * @param {{ root: string, environment: Record<string, string>, tasks?: number, until?: Date }} options
 */
export async function replayHistory(openMemory, { root, environment, tasks = 36, until = new Date() }) {
  const random = chances(7);
  const spanMs = 42 * 86_400_000;
  let now = until.getTime() - spanMs;
  const memory = await openMemory({
    root,
    environment,
    clock: () => new Date(now),
    overrides: { "recall.holdout": 0.3 },
  });
  const pass = (ms) => {
    now += Math.round(ms);
  };
  try {
    for (let index = 0; index < tasks; index += 1) {
      now = Math.max(now, until.getTime() - spanMs + (index / tasks) * spanMs);
      const family = families[index % families.length];
      const name = names[Math.floor(random() * names.length)];
      const { id } = await memory.tasks.init({ description: family.objective(name), tags: [family.name] });
      const { planText } = await memory.tasks.start(id, { agent: index % 3 === 0 ? "codex" : "claude" });
      const isTold = planText.includes(family.remedy);
      const wrong = isTold ? Math.floor(random() * 2) : 1 + Math.floor(random() * 4);
      let isSolved = false;
      for (let attempt = 1; !isSolved && attempt <= 2; attempt += 1) {
        if (attempt > 1) await memory.tasks.start(id, { agent: "claude" });
        const failing = attempt === 1 ? wrong : 2;
        const isGivenUp = attempt === 1 ? wrong > 3 : random() < 0.6;
        for (let iteration = 1; iteration <= Math.min(failing + 1, 4); iteration += 1) {
          const isLast = iteration === failing + 1 && !isGivenUp;
          await work({ memory, id, family, name, iteration, isLast, random, pass });
        }
        isSolved = !isGivenUp;
        if (isGivenUp) pass(120_000);
        await memory.tasks.complete(id, {
          outcome: isSolved ? "success" : "failure",
          output: isSolved ? "6 passed" : family.failure(name),
          quality: isSolved ? 1 : 0.4,
          reason: isSolved ? "the check passes" : "stopped without progress",
          ...(isSolved && { whatWorked: [family.said(name)] }),
          files: [family.file(name)],
        });
        pass(60_000 + random() * 300_000);
      }
    }
  } finally {
    await memory.close();
  }
}

async function work({ memory, id, family, name, iteration, isLast, random, pass }) {
  const { tasks } = memory;
  const log = async (action) => {
    pass(4_000 + random() * 40_000);
    await tasks.log(id, [{ iteration, ...action }]);
  };
  await log({ tool: "Read", params: { file_path: family.file(name) }, output: `# ${name}\n` });
  await log({ tool: "Grep", params: { pattern: name }, output: `${family.file(name)}:1` });
  if (!isLast)
    await log({
      tool: "Edit",
      params: {
        file_path: family.file(name),
        old_string: "retries: 1",
        new_string: `retries: ${iteration + 1}\ntimeout: 30`,
      },
    });
  else
    await log({
      tool: "Edit",
      params: { file_path: family.file(name), old_string: "", new_string: family.line },
      reasoning: family.said(name),
    });
  const output = isLast ? "6 passed in 0.38s" : family.failure(name);
  await log({ tool: "Bash", params: { command: "make check" }, success: isLast, output });
  pass(2_000 + random() * 20_000);
  await tasks.endIteration(id, {
    iteration,
    success: isLast,
    quality: isLast ? 1 : Math.min(0.9, 0.2 + iteration * 0.15),
    output,
    said: isLast ? family.said(name) : "I raised the number of retries; it may be a matter of timing.",
  });
}

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

/** @param {(options: object) => Promise<import("../dist/types/index.js").Memory>} openMemory */
export async function addNotesAndFindings(openMemory, { root, environment }) {
  const memory = await openMemory({ root, environment });
  for (const note of notes) await memory.notes.add(note);
  await memory.learnings.stage(findings);
  await memory.close();
}
