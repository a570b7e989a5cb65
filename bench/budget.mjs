// How much of the relevant evidence a brief holds: `npm run bench:budget -- --data DIR [--set NAME] [--json]`.
// Each query is the objective of a recall within 500, 1,000 and 2,000 tokens. Tokens are counted by a real tokenizer.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { encode as encodeCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { encode as encodeO200k } from "gpt-tokenizer/encoding/o200k_base";
import { openRalph } from "./quality/ralph-engine.mjs";
import { knownSets, loadSet } from "./quality/sets.mjs";

const budgets = [500, 1000, 2000];
const { values } = parseArgs({
  options: { data: { type: "string" }, set: { type: "string" }, json: { type: "boolean", default: false } },
});
if (values.data === undefined || !existsSync(values.data)) {
  console.error("Error: say where the data is: npm run bench:budget -- --data DIR");
  process.exit(2);
}
const sets = knownSets.filter(
  ({ name, as }) => as === undefined && (values.set === undefined || values.set === name),
);

const lines = [];
for (const set of sets) {
  if (!existsSync(join(values.data, set.folder, set.corpus))) continue;
  const { scopes, queries } = loadSet(values.data, set);
  const found = budgets.map(() => ({ relevant: 0, inside: 0, most: 0, over: 0 }));
  for (const [scope, documents] of scopes) {
    const engine = await openRalph(documents, set);
    for (const query of queries.filter((candidate) => candidate.scope === scope)) {
      for (const [index, budgetTokens] of budgets.entries()) {
        const { ids, text } = await engine.recall(query.text, budgetTokens);
        const tokens = Math.max(encodeCl100k(text).length, encodeO200k(text).length);
        const tally = found[index];
        tally.relevant += query.relevant.length;
        tally.inside += query.relevant.filter((id) => ids.includes(id)).length;
        tally.most = Math.max(tally.most, tokens);
        if (tokens > budgetTokens * 1.05) tally.over += 1;
      }
    }
    await engine.close();
  }
  for (const [index, budget] of budgets.entries()) {
    const { relevant, inside, most, over } = found[index];
    lines.push({
      set: set.name,
      budget,
      evidence_inside: Math.round((inside / relevant) * 1000) / 1000,
      most_tokens: most,
      over_budget: over,
    });
  }
}
if (values.json) for (const line of lines) console.log(JSON.stringify(line));
else console.table(lines);
if (lines.some(({ over_budget: over }) => over > 0)) process.exitCode = 1;
