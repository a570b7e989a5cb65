// Similar tasks on real data: `npm run bench:similar -- --data DIR [--set NAME] [--json]`.
// With `--embedder NAME [--packages DIR]`, as in `bench:quality`, tasks are compared by their vectors too.
// Every task of a set is an objective. Of those without a related task, how many are shown one (false), and of those with
// one, for how many is it among the three that are shown (found); beside normalised BM25 at the same false share.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openTaskMemory } from "./quality/ralph-tasks-engine.mjs";
import { percentile } from "./quality/score.mjs";
import { knownSets, loadObjectives, loadSet } from "./quality/sets.mjs";
import { openNormalisedBm25 } from "./similar/normalised-bm25.mjs";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    set: { type: "string" },
    json: { type: "boolean", default: false },
    embedder: { type: "string" },
    packages: { type: "string" },
  },
});
if (values.data === undefined || !existsSync(values.data)) {
  console.error(
    'Error: say where the data is: npm run bench:similar -- --data DIR (folders with "corpus.jsonl" and "queries.jsonl")',
  );
  process.exit(2);
}

const embedder = values.embedder && { use: values.embedder, packages: values.packages };
const thresholds = [0.5, 0.6, 0.7, 0.8, 0.9];
const shown = 3;
const baselines = {
  bm25: { questionLength: Number.POSITIVE_INFINITY, withFiles: false },
  bm25_300: { questionLength: 300, withFiles: false },
  bm25_300_files: { questionLength: 300, withFiles: true },
};

const lines = [];
for (const set of knownSets.filter(
  ({ as, name }) => as === "task" && [undefined, name].includes(values.set),
)) {
  if (!existsSync(join(values.data, set.folder, set.corpus))) continue;
  const { scopes } = loadSet(values.data, set);
  const objectives = loadObjectives(values.data, set);
  if (!values.json) process.stderr.write(`${set.name}: ${objectives.length} objectives …\n`);
  const ours = await ask(scopes, objectives, openRalph);
  const theirs = {};
  for (const [name, options] of Object.entries(baselines)) {
    theirs[name] = await ask(scopes, objectives, (documents) => openNormalisedBm25(documents, options));
  }
  lines.push(...thresholds.map((threshold) => compare(set.name, threshold, ours, theirs)));
}
if (values.json) for (const line of lines) console.log(JSON.stringify(line));
else console.table(lines);

/** What is shown for each objective, most similar first, whatever its similarity. */
async function ask(scopes, objectives, open) {
  const answers = [];
  for (const [scope, documents] of scopes) {
    const engine = await open(documents);
    for (const { id, text, related } of objectives.filter((objective) => objective.scope === scope)) {
      const started = performance.now();
      const found = await engine.similar(text, shown + 1, id);
      const elapsedMs = performance.now() - started;
      answers.push({ related, elapsedMs, found: found.filter((each) => each.id !== id).slice(0, shown) });
    }
    await engine.close();
  }
  return answers;
}

async function openRalph(documents) {
  const { memory, documentOf, close } = await openTaskMemory(documents, { as: "task" }, embedder);
  const taskOf = new Map([...documentOf].map(([task, document]) => [document, task]));
  return {
    async similar(objective, topK, id) {
      const tasks = await memory.tasks.similar({
        objective,
        topK,
        threshold: 0,
        maxAgeDays: 0,
        excludeTaskId: taskOf.get(id),
      });
      return tasks.map(({ task_id: task, similarity }) => ({ id: documentOf.get(task), similarity }));
    },
    close,
  };
}

function compare(set, threshold, ours, theirs) {
  const own = measure(ours, threshold);
  const others = Object.entries(theirs).map(([name, answers]) => {
    const { found } = measure(answers, thresholdFor(answers, own.falselyShown));
    return [name, round(found)];
  });
  return {
    set,
    threshold,
    without: own.without,
    false: round(own.false),
    with: own.with,
    found: round(own.found),
    precision: round(own.precision),
    ...Object.fromEntries(others),
    margin: round(own.found - Math.max(...others.map(([, found]) => found))),
    p50_ms: percentile(times(ours), 0.5),
    p95_ms: percentile(times(ours), 0.95),
  };
}

function measure(answers, threshold) {
  const shownIn = ({ found }) => found.filter(({ similarity }) => similarity >= threshold);
  const without = answers.filter(({ related }) => related.length === 0);
  const withOne = answers.filter(({ related }) => related.length > 0);
  const falselyShown = without.filter((answer) => shownIn(answer).length > 0).length;
  const hits = withOne.filter((answer) => shownIn(answer).some(({ id }) => answer.related.includes(id)));
  const pairs = answers.flatMap((answer) => shownIn(answer).map(({ id }) => answer.related.includes(id)));
  return {
    without: without.length,
    with: withOne.length,
    falselyShown,
    false: falselyShown / Math.max(1, without.length),
    found: hits.length / Math.max(1, withOne.length),
    precision: pairs.filter(Boolean).length / Math.max(1, pairs.length),
  };
}

/** The lowest threshold at which no more objectives than these are falsely shown something. */
function thresholdFor(answers, falselyShown) {
  const best = answers
    .filter(({ related }) => related.length === 0)
    .map(({ found }) => found[0]?.similarity ?? 0)
    .sort((a, b) => b - a);
  return (best[falselyShown] ?? 0) + Number.EPSILON;
}

function times(answers) {
  return answers.map(({ elapsedMs }) => elapsedMs);
}

function round(value) {
  return Math.round(value * 1000) / 1000;
}
