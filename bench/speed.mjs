// How fast Ralph is, as ratios within one run: `npm run bench:speed -- [--notes N] [--records N] [--runs N] [--part P] [--data DIR] [--json]`.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureHooks } from "./speed/hooks.mjs";
import { measureLearnings } from "./speed/learnings.mjs";
import { measureLoop } from "./speed/loop.mjs";
import { measureNotes } from "./speed/notes.mjs";
import { measureRecall } from "./speed/recall.mjs";
import { measureSearch } from "./speed/search.mjs";
import { measureTasks } from "./speed/tasks.mjs";
import { measureWarmNotes } from "./speed/warm-notes.mjs";

const parts = {
  notes: measureNotes,
  warm: measureWarmNotes,
  tasks: measureTasks,
  learnings: measureLearnings,
  recall: measureRecall,
  hooks: measureHooks,
  search: measureSearch,
  loop: measureLoop,
};

const { values } = parseArgs({
  options: {
    notes: { type: "string", default: "10000" },
    records: { type: "string", default: "100000" },
    runs: { type: "string", default: "25" },
    part: { type: "string" },
    data: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const sizes = {
  notes: Number(values.notes),
  records: Number(values.records),
  runs: Math.max(20, Number(values.runs)),
  data: values.data,
};
const chosen = Object.entries(parts).filter(([name]) => values.part === undefined || values.part === name);
if (chosen.length === 0) {
  console.error(`There is no part ${values.part}; there are ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), "ralph-speed-"));
try {
  const rows = [];
  for (const [name, measure] of chosen) {
    const folder = join(scratch, name);
    mkdirSync(folder);
    rows.push(...(await measure(folder, sizes)));
  }
  if (values.json) for (const row of rows) console.log(JSON.stringify(row));
  else console.table(rows);
  if (rows.some((row) => !row.holds)) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
