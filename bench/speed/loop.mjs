import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { openMemory } from "../../dist/library/index.js";
import { fillLearnings } from "./learnings.mjs";
import { makeNotesFile } from "./make-notes-file.mjs";
import { elapsedMs, median, medians, ralph, round, row } from "./measure.mjs";
import { makeTask } from "./tasks.mjs";

const barMs = 150;
const objective = "Fix the flaky login timeout of the cart when the discount cache is stale in prod";

/** What an iteration takes beyond its agent and its verification, with everything there is to look through. */
export async function measureLoop(folder, { notes, records, runs }) {
  const git = (...args) => spawnSync("git", args, { cwd: folder });
  git("init", "--quiet");
  mkdirSync(join(folder, ".agent"));
  mkdirSync(join(folder, "src"));
  for (let file = 0; file < 500; file += 1) writeFileSync(join(folder, `src/file-${file}.ts`), `${file}\n`);
  writeFileSync(join(folder, ".gitignore"), "user-home/\ntimes/\n");
  mkdirSync(join(folder, "times"));
  writeFileSync(join(folder, ".agent/memories.md"), makeNotesFile(notes));
  // Each notes when it begins and when it ends.
  const timed = (name, work) =>
    `#!/bin/sh\ndate +%s%N >> times/${name}\n${work}\ndate +%s%N >> times/${name}\n`;
  const agent = "cat > /dev/null; date +%N > src/file-1.ts";
  writeFileSync(join(folder, "agent.sh"), timed("agent", agent), { mode: 0o755 });
  const check =
    "echo 'FAIL src/cart.test.ts > adds tax'; echo \"AssertionError: expected $(date +%N) to be 2\"";
  writeFileSync(join(folder, "check.sh"), `${timed("check", check)}exit 1\n`, { mode: 0o755 });
  writeFileSync(join(folder, "ralph.yml"), "agents: { scripted: { program: ./agent.sh } }\n");
  git("add", "-A");
  git("-c", "user.name=Bench", "-c", "user.email=bench@example.com", "commit", "--quiet", "-m", "start");
  await fill(folder, records);
  const searchMs = await measureSearching(folder);
  const ownMs = await runLoop(folder, Math.max(20, runs));
  return [
    row("an iteration without agent and verification (ms)", median(ownMs), barMs, {
      longest_ms: round(Math.max(...ownMs)),
      without_search_ms: round(median(ownMs) - searchMs),
      at: `${notes} notes, ${records} records`,
    }),
  ];
}

/** From the end of one iteration to the end of the next, less what agent and verification say they took. */
async function runLoop(folder, iterations) {
  const { NODE_EXTRA_CA_CERTS: _unused, ...environment } = process.env;
  const args = ["run", objective, "--verify", "./check.sh", "--max-iterations", `${iterations}`, "--json"];
  const child = spawn(process.execPath, [ralph, ...args], {
    cwd: folder,
    env: { ...environment, RALPH_HOME: join(folder, "user-home"), RALPH_ROOT: folder, RALPH_TRUST: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const endedMs = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (JSON.parse(line).event === "iteration-ended") endedMs.push(performance.now());
  }
  if (endedMs.length !== iterations)
    throw new Error(`${endedMs.length} of ${iterations} iterations were run`);
  const [agentMs, checkMs] = ["agent", "check"].map((name) => timesOf(folder, name));
  const rounds = [...endedMs.keys()].slice(1);
  return rounds.map((at) => endedMs[at] - endedMs[at - 1] - agentMs[at] - checkMs[at]);
}

function timesOf(folder, name) {
  const moments = readFileSync(join(folder, "times", name), "utf8")
    .trim()
    .split("\n")
    .map(BigInt);
  return moments.flatMap((moment, index) =>
    index % 2 === 1 ? [Number(moment - moments[index - 1]) / 1e6] : [],
  );
}

async function fill(folder, records) {
  const memory = await openIn(folder);
  const learnings = Math.floor(records / 2);
  await memory.tasks.restore(Array.from({ length: records - learnings }, (_, index) => makeTask(index + 1)));
  await fillLearnings(memory, learnings);
  await memory.close();
}

/** What of an iteration is searching: for the brief, and for the continuity file. */
async function measureSearching(folder) {
  const memory = await openIn(folder);
  const { id: taskId } = await memory.tasks.init({ description: objective });
  const { brief, continuity } = await medians(
    {
      brief: () => elapsedMs(() => memory.recall({ taskId, notes: "all" })),
      continuity: () => elapsedMs(() => memory.working.updateContinuity({ taskId })),
    },
    10,
  );
  await memory.close();
  return brief + continuity;
}

function openIn(folder) {
  return openMemory({ root: folder, environment: { RALPH_HOME: join(folder, "user-home") } });
}
