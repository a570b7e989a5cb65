import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../../dist/library/index.js";
import { finishedTask } from "../finished-task.mjs";
import { makeWriter } from "./make-notes-file.mjs";
import { elapsedMs, medians, ralph, round, row, startIn } from "./measure.mjs";

const historyBarMs = 50;
const growthBar = 1.3;
const similarBarMs = 20;
const few = 1_000;

/** Reading one task among many, finding similar ones, and logging at many actions against few. */
export async function measureTasks(folder, { records, runs }) {
  return [
    await measureHistory(folder, records, runs),
    await measureSimilar(folder, records, runs),
    await measureLogging(folder, records, runs),
  ];
}

async function measureHistory(folder, records, runs) {
  const root = join(folder, "many-tasks");
  const memory = await openIn(root);
  await memory.tasks.restore(Array.from({ length: records }, (_, index) => makeTask(index + 1)));
  await memory.close();
  const { bare, history } = await medians(
    {
      bare: () => startIn(root, ["-e", "0"]),
      history: () => startIn(root, [ralph, "history", `task-${Math.floor(records / 2)}`]),
    },
    runs,
  );
  return row("history of one task − node -e 0 (ms)", history - bare, historyBarMs, {
    median_ms: round(history),
    at: `${records} tasks`,
  });
}

/** In the store of the measure before. */
async function measureSimilar(folder, records, runs) {
  const memory = await openMemory({
    root: join(folder, "many-tasks"),
    environment: { RALPH_HOME: join(folder, "many-tasks", "user-home") },
  });
  let asked = 0;
  const { similar } = await medians(
    {
      similar: () => {
        asked += 1;
        const objective = `Fix the ${word(asked)} ${word(asked * 3)} of module ${asked * 997}, which fails since the update of the ${word(asked * 7)}`;
        return elapsedMs(() => memory.tasks.similar({ objective, maxAgeDays: 0 }));
      },
    },
    runs,
  );
  await memory.close();
  return row("similar tasks, warm (ms)", similar, similarBarMs, {
    median_ms: round(similar),
    at: `${records} tasks`,
  });
}

async function measureLogging(folder, records, runs) {
  const logs = {};
  for (const count of [few, records]) {
    const memory = await openIn(join(folder, `actions-${count}`));
    await memory.tasks.init({ description: "a" });
    await memory.tasks.start("task-001");
    await memory.tasks.log(
      "task-001",
      Array.from({ length: count }, (_, index) => makeAction(index)),
    );
    let logged = count;
    logs[count] = () => {
      logged += 1;
      return elapsedMs(() => memory.tasks.log("task-001", [makeAction(logged)]));
    };
  }
  const { [few]: atFew, [records]: atMany } = await medians(logs, Math.max(200, runs));
  return row(`log an action at ${records} actions ÷ at ${few}`, atMany / atFew, growthBar, {
    median_ms: round(atMany),
    at: `${records} actions`,
  });
}

function openIn(root) {
  mkdirSync(root);
  return openMemory({ root, environment: { RALPH_HOME: join(root, "user-home") } });
}

const words = "login timeout cart discount parser socket cache schema index retry queue worker token".split(
  " ",
);
const { sentence } = makeWriter(3);
const word = (seed) => words[seed % words.length];

function makeAction(index) {
  const command = `npm test -- ${word(index)}.test.ts`;
  return {
    tool: "Bash",
    params: { command },
    success: index % 3 !== 0,
    output: `${word(index * 7)} printed ${index}`,
    timestamp: new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString(),
  };
}

/** Of the last weeks: older ones are not looked at for similar tasks. */
const begun = Date.now() - 40 * 24 * 60 * 60 * 1000;

export function makeTask(number) {
  const description = `Fix the ${sentence(5, 9)} of module ${number}`;
  const learning = `The ${sentence(6, 12)} has to be set before ${number}`;
  return finishedTask(number, {
    time: new Date(begun + number * 30_000).toISOString(),
    description,
    outcome: "failure",
    tags: [word(number)],
    attempt: {
      plan: { approach: description, steps: [] },
      context: { goal: description, constraints: [], files_involved: [`src/${word(number)}-${number}.ts`] },
      errors_encountered: [{ type: "TS2322", message: `TS2322 at src/${word(number)}.ts:${number}` }],
      actions: [0, 1, 2].map((step) => ({ iteration: 1, ...makeAction(number * 3 + step) })),
    },
    reflections: [{ observation: learning, learning, written_by: "rules" }],
  });
}
