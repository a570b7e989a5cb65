// How long commands take, as ratios to starting Node: `npm run bench:speed -- [--notes N] [--runs N] [--json]`.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeNotesFile } from "./make-notes-file.mjs";

const { values } = parseArgs({
  options: {
    notes: { type: "string", default: "10000" },
    runs: { type: "string", default: "25" },
    json: { type: "boolean", default: false },
  },
});
const noteCount = Number(values.notes);
const runs = Math.max(20, Number(values.runs));
const bar = 1.8;
const main = resolve(import.meta.dirname, "../dist/cli/main.cjs");
const folder = mkdtempSync(join(tmpdir(), "ralph-speed-"));

// This variable alone adds tens of milliseconds to every start of Node 20 and would hide the difference.
const { NODE_EXTRA_CA_CERTS: _unused, ...environment } = process.env;
const env = { ...environment, RALPH_HOME: join(folder, "user-home"), RALPH_ROOT: folder };

const start = (args) => {
  const before = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    maxBuffer: 256 * 1024 * 1024,
  });
  const elapsedMs = Number(process.hrtime.bigint() - before) / 1e6;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return elapsedMs;
};

let added = 0;
const cases = {
  "node -e 0": () => start(["-e", "0"]),
  "memory add": () => {
    added += 1;
    return start([main, "memory", "add", `benchmark note ${Date.now()} number ${added}`]);
  },
  "memory search": () =>
    start([main, "memory", "search", "how do we start the database when the connection is refused"]),
  "memory prime --budget 2000": () => start([main, "memory", "prime", "--budget", "2000"]),
  "memory prime": () => start([main, "memory", "prime"]),
};

try {
  mkdirSync(join(folder, ".agent"));
  writeFileSync(join(folder, ".agent/memories.md"), makeNotesFile(noteCount));
  start([main, "memory", "list", "--last", "1"]);
  for (const run of Object.values(cases)) run();
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  // Interleaved, so that a slow moment of the machine strikes all alike.
  for (let round = 0; round < runs; round += 1) {
    for (const [name, run] of Object.entries(cases)) times[name].push(run());
  }
  const baseline = median(times["node -e 0"]);
  const rows = Object.entries(times).map(([name, samples]) => ({
    command: name,
    notes: noteCount,
    runs,
    median_ms: round(median(samples)),
    ratio: round(median(samples) / baseline),
    bar,
    holds: median(samples) / baseline <= bar,
  }));
  if (values.json) for (const row of rows) console.log(JSON.stringify(row));
  else console.table(rows);
  if (rows.some((row) => !row.holds)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function median(samples) {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)];
}

function round(value) {
  return Math.round(value * 100) / 100;
}
