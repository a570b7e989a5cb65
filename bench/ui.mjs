// What the page's server takes with many records: npm run bench:ui -- --records 100000
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fillMemory } from "./speed/fill-memory.mjs";

const { values } = parseArgs({
  options: { records: { type: "string", default: "100000" }, notes: { type: "string", default: "10000" } },
});
const root = mkdtempSync(join(tmpdir(), "ralph-bench-ui-"));
const environment = { ...process.env, RALPH_HOME: join(root, "user-home"), RALPH_TRUST: "1" };

const paths = {
  "first page": ["/api/project", "/api/now"],
  "tasks, first page": ["/api/tasks"],
  "tasks, last page": ["/api/tasks?page=1000"],
  "tasks, searched": ["/api/tasks?q=importer+timeout"],
  "tasks, by status": ["/api/tasks?status=failed"],
  "a task": ["/api/tasks/task-777"],
  learnings: ["/api/learnings"],
  "learnings, last page": ["/api/learnings?page=1000"],
  "learnings, searched": ["/api/learnings?q=cache+build"],
  "learnings that help": ["/api/learnings?evidence=helps"],
  notes: ["/api/notes"],
  "notes, last page": ["/api/notes?page=200"],
  recall: ["/api/recall?objective=Fix+the+failing+importer+test"],
  "does it help": ["/api/impact"],
  health: ["/api/health"],
};

try {
  execFileSync("git", ["init", "--quiet", root]);
  const memory = await fillMemory(root, { notes: Number(values.notes), records: Number(values.records) });
  await memory.notes.list({ limit: 1 });
  await memory.close();
  const server = spawn(process.execPath, ["dist/cli/main.cjs", "ui", "--json", "--root", root], {
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const line = await new Promise((done) => server.stdout.once("data", (text) => done(JSON.parse(text))));
  const { origin } = new URL(line.address);
  const entered = await fetch(`${origin}/api/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ token: new URL(line.address).hash.slice(1) }),
  });
  const headers = { authorization: `Bearer ${(await entered.json()).secret}` };
  const read = async (path) => {
    const response = await fetch(origin + path, { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 200)}`);
  };
  console.log(
    "processor time of the server for each, first and median of 9; a busy machine takes longer by the clock",
  );
  for (const [what, asked] of Object.entries(paths)) {
    const measure = async () => {
      const before = processorMs(server.pid);
      await Promise.all(asked.map(read));
      return processorMs(server.pid) - before;
    };
    const first = await measure();
    const times = [];
    for (let round = 0; round < 9; round += 1) times.push(await measure());
    const median = times.sort((one, other) => one - other)[4];
    console.log(
      `${what.padEnd(24)} first ${first.toFixed(0).padStart(6)} ms   median ${median.toFixed(0).padStart(6)} ms`,
    );
  }
  await checkGaps(origin, headers);
  console.log(
    `memory of the server       ${residentMb(server.pid)} MB now, ${residentMb(server.pid, "VmHWM")} MB at most`,
  );
  server.kill("SIGINT");
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** Walks through pages all over the list: each begins where the one before it ended. */
async function checkGaps(origin, headers) {
  const rows = async (page) =>
    (await (await fetch(`${origin}/api/tasks?page=${page}`, { headers })).json()).rows.map(({ id }) =>
      Number(id.slice(5)),
    );
  let gaps = 0;
  for (const page of [1, 2, 3, 400, 401, 402, 998, 999]) {
    const [one, other] = [await rows(page), await rows(page + 1)];
    if (one.at(-1) - 1 !== other[0]) gaps += 1;
    for (const [index, number] of one.entries()) if (index > 0 && one[index - 1] - 1 !== number) gaps += 1;
  }
  console.log(`gaps between rows          ${gaps}`);
}

/** User and system time of a process so far, in steps of 10 ms. */
function processorMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function residentMb(pid, field = "VmRSS") {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
}
