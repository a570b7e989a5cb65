// Retrieval quality on real data: `npm run bench:quality -- --data DIR [--set NAME] [--json]`.
// With `--embedder NAME [--packages DIR]` also by words and meaning together (mode "hybrid"); its settings are taken from
// RALPH_EMBEDDER_… variables, its packages from the node_modules of DIR.
// With `--store URL` the records are in this PostgreSQL database, as a team's are; notes stay where they always are.
// One line for each set, as a user's command would search it (mode "default"), beside plain BM25 on the same texts.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openPlainBm25 } from "./quality/plain-bm25.mjs";
import { openRalph } from "./quality/ralph-engine.mjs";
import { openRalphTasks } from "./quality/ralph-tasks-engine.mjs";
import { percentile, scoreRanking, summarise } from "./quality/score.mjs";
import { knownSets, loadSet } from "./quality/sets.mjs";
import { createStore } from "./team/team-memory.mjs";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    set: { type: "string" },
    json: { type: "boolean", default: false },
    embedder: { type: "string" },
    packages: { type: "string" },
    store: { type: "string" },
  },
});
if (values.data === undefined || !existsSync(values.data)) {
  console.error(
    'Error: say where the data is: npm run bench:quality -- --data DIR (folders with "corpus.jsonl" and "queries.jsonl")',
  );
  process.exit(2);
}
const chosen = knownSets.filter(
  ({ name, folder }) => values.set === undefined || values.set === name || values.set === folder,
);
if (chosen.length === 0) {
  console.error(`Error: unknown set ${values.set} (known: ${knownSets.map(({ name }) => name).join(", ")})`);
  process.exit(2);
}

if (values.store !== undefined) {
  createStore(values.store);
  process.env.RALPH_STORE_URL = values.store;
}
const embedder = values.embedder && { use: values.embedder, packages: values.packages };
const lines = [];
for (const set of chosen) {
  if (!existsSync(join(values.data, set.folder, set.corpus))) continue;
  const { scopes, queries } = loadSet(values.data, set);
  const openEngine = set.as === undefined ? openRalph : openRalphTasks;
  for (const [mode, open] of [
    ["default", openEngine],
    ...(embedder ? [["hybrid", (documents, set) => openEngine(documents, set, embedder)]] : []),
    ["bm25", openPlainBm25],
  ]) {
    if (!values.json) process.stderr.write(`${set.name}, ${mode} …\n`);
    lines.push(...(await measure(set, mode, open, scopes, queries)));
  }
}
if (values.json) for (const line of lines) console.log(JSON.stringify(line));
else console.table(lines);

async function measure(set, mode, openEngine, scopes, queries) {
  const results = [];
  for (const [scope, documents] of scopes) {
    const engine = await openEngine(documents, set);
    try {
      for (const query of queries.filter((candidate) => candidate.scope === scope)) {
        const started = performance.now();
        const found = await engine.search(query.text, 100 + query.exclude.length);
        const elapsedMs = performance.now() - started;
        const ranking = found.filter((id) => !query.exclude.includes(id));
        results.push({ query, elapsedMs, ranking, scores: scoreRanking(ranking, query.relevant) });
      }
    } finally {
      await engine.close();
    }
  }
  const groups = set.groupBy === undefined ? [[set.name, results]] : groupsOf(set, results);
  return groups.map(([name, group]) => ({
    set: name,
    n: group.length,
    ...summarise(group.map(({ scores }) => scores)),
    p50_ms: percentile(
      group.map(({ elapsedMs }) => elapsedMs),
      0.5,
    ),
    p95_ms: percentile(
      group.map(({ elapsedMs }) => elapsedMs),
      0.95,
    ),
    mode,
    ...freshFirst(group),
  }));
}

function groupsOf(set, results) {
  const names = [...new Set(results.map(({ query }) => query.group))];
  return names.map((name) => [`${set.name}/${name}`, results.filter(({ query }) => query.group === name)]);
}

/** Of the queries with an outdated twin, how many show the new fact above it; and how the others fare. */
function freshFirst(results) {
  const withTwin = results.filter(({ query }) => query.stale.length > 0);
  if (withTwin.length === 0) return {};
  const place = (ranking, ids) => {
    const at = ranking.findIndex((id) => ids.includes(id));
    return at === -1 ? Number.POSITIVE_INFINITY : at;
  };
  const fresh = withTwin.filter(
    ({ query, ranking }) => place(ranking, query.relevant) < place(ranking, query.stale),
  );
  const without = results.filter(({ query }) => query.stale.length === 0);
  return {
    fresh_first: fresh.length,
    of: withTwin.length,
    no_twin_ndcg10: summarise(without.map(({ scores }) => scores)).ndcg10,
  };
}
