// Replays recorded attempts of real agents through the library: `npm run bench:replay -- --data DIR [--json]`.
// DIR holds reflexion/episodes.jsonl and swebench/episodes.jsonl.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { openMemory, readEpisodicTree, writeEpisodicTree } from "../dist/library/index.js";

const { values } = parseArgs({
  options: { data: { type: "string" }, json: { type: "boolean", default: false } },
});
if (values.data === undefined) {
  console.error("Say where the recorded attempts are: --data DIR");
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "ralph-replay-"));
const openIn = (name) => {
  const root = join(folder, name);
  mkdirSync(root);
  return openMemory({ root, environment: { RALPH_HOME: join(folder, "home") } });
};

try {
  const rows = [];
  for (const set of ["reflexion", "swebench"]) {
    const path = join(values.data, set, "episodes.jsonl");
    if (existsSync(path)) rows.push(await replay(set, readEpisodes(path)));
  }
  for (const row of rows) {
    if (values.json) console.log(JSON.stringify(row));
    else console.table(row);
  }
  if (rows.length === 0 || rows.some((row) => !row.holds)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function readEpisodes(path) {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function replay(set, episodes) {
  const memory = await openIn(set);
  const started = performance.now();
  const ids = new Map();
  const previous = new Map();
  let retries = 0;
  let informed = 0;
  for (const episode of episodes) {
    const key = `${episode.run ?? ""} ${episode.task_id}`;
    if (!ids.has(key)) ids.set(key, (await memory.tasks.init(taskOf(set, episode))).id);
    const id = ids.get(key);
    const { reflections } = await memory.tasks.start(id);
    const before = previous.get(key);
    if (before?.triggered_by === "failure") {
      retries += 1;
      const isThere = reflections.some((each) =>
        isDeepStrictEqual(withoutRating(each), withoutRating(before)),
      );
      if (isThere) informed += 1;
    }
    const { reflection } = await memory.tasks.complete(id, resultOf(episode));
    previous.set(key, reflection);
  }
  const seconds = (performance.now() - started) / 1000;
  const histories = await listHistories(memory);
  const attempts = histories.flatMap((history) => history.attempts);
  const isEqual = await isSameAfterTree(memory, set, histories);
  const learned = await learnAgain(memory, histories);
  await memory.close();
  const byRules = histories
    .flatMap(({ reflections }) => reflections)
    .filter((each) => each.written_by === "rules");
  return {
    set,
    episodes: episodes.length,
    tasks: histories.length,
    attempts_stored: attempts.length,
    retries_after_failure: retries,
    retries_with_that_reflection: informed,
    reflections_by_rules: byRules.length,
    most_frequent_sentence_share: round(shareOfMostFrequentSentence(byRules)),
    export_import_equal: isEqual,
    ...learned,
    seconds: round(seconds),
    attempts_per_second: Math.round(episodes.length / seconds),
    holds:
      attempts.length === episodes.length &&
      informed === retries &&
      isEqual &&
      learned.twins === 0 &&
      learned.without_evidence === 0,
  };
}

function taskOf(set, { task, task_id, run, repo, agent, language, env }) {
  return {
    description: task?.trim() ? task : task_id,
    tags: [set, ...[repo, language, env, run].filter(Boolean)],
    ...(agent && { agent }),
  };
}

/** What the record knows of an attempt; a reflection that its agent wrote is kept as the runner's own. */
function resultOf({ outcome, reflection, files_changed: files, exit_status: reason, patch }) {
  return {
    outcome: outcome === "success" ? "success" : "failure",
    ...(reason && { reason }),
    ...(files && { files, artifacts: files }),
    ...(patch && outcome !== "success" && { output: patch }),
    ...(reflection && outcome !== "success" && { reflection: { observation: reflection } }),
  };
}

/** Learning from the same tasks once more adds nothing, and every learning leads to real attempts. */
async function learnAgain(memory, histories) {
  const since = "2000-01-01T00:00:00.000Z";
  await memory.learnings.consolidate({ since });
  const before = await memory.learnings.stats();
  for (const { id } of histories) await memory.learnings.learnFromTask(id);
  await memory.learnings.consolidate({ since });
  const after = await memory.learnings.stats();
  let withoutEvidence = 0;
  for (const { id } of await memory.learnings.list())
    if ((await memory.learnings.why(id)).attempts.length === 0) withoutEvidence += 1;
  return {
    learnings: after.totalSize,
    learnings_by_type: JSON.stringify(after.byType),
    twins: after.totalSize - before.totalSize,
    without_evidence: withoutEvidence,
  };
}

async function listHistories(memory) {
  const histories = [];
  for (const { id } of await memory.tasks.list())
    histories.push(await memory.tasks.history(id, { isFull: true }));
  return histories;
}

async function isSameAfterTree(memory, set, histories) {
  const tree = join(folder, `${set}-tree`);
  await writeEpisodicTree(memory, tree);
  const other = await openIn(`${set}-copy`);
  await other.tasks.restore(readEpisodicTree(tree));
  const copies = await listHistories(other);
  await other.close();
  return isDeepStrictEqual(copies, histories);
}

/** Later outcomes rate a reflection; what it says stays. */
function withoutRating({ effectiveness: _effectiveness, rated_by: _ratedBy, ...reflection }) {
  return reflection;
}

function shareOfMostFrequentSentence(reflections) {
  const counts = new Map();
  for (const { observation, analysis, learning, action_items: items } of reflections) {
    const sentences = [observation, analysis, learning, ...items].flatMap((text) =>
      text.split(/(?<=[.!?])\s+/),
    );
    for (const sentence of new Set(sentences.filter((text) => text !== "")))
      counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  }
  return reflections.length === 0 ? 0 : Math.max(...counts.values()) / reflections.length;
}

function round(value) {
  return Math.round(value * 1000) / 1000;
}
