import { spawnSync } from "node:child_process";
import { resolve } from "node:path";

export const ralph = resolve(import.meta.dirname, "../../dist/cli/main.cjs");

/** Starts Node in a folder, with a home of its own, and tells how long it took. */
export function startIn(folder, args, input) {
  // This variable alone adds tens of milliseconds to every start of Node 20 and would hide the difference.
  const { NODE_EXTRA_CA_CERTS: _unused, ...environment } = process.env;
  const before = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    env: { ...environment, RALPH_HOME: `${folder}/user-home`, RALPH_ROOT: folder },
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    input,
    maxBuffer: 256 * 1024 * 1024,
  });
  const elapsedMs = Number(process.hrtime.bigint() - before) / 1e6;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return elapsedMs;
}

/** Medians of cases that take turns, so that a slow moment of the machine strikes all alike. */
export async function medians(cases, runs) {
  for (const run of Object.values(cases)) await run();
  const times = Object.fromEntries(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < runs; round += 1) {
    for (const [name, run] of Object.entries(cases)) times[name].push(await run());
  }
  return Object.fromEntries(Object.entries(times).map(([name, samples]) => [name, median(samples)]));
}

export async function elapsedMs(work) {
  const before = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - before) / 1e6;
}

export function median(samples) {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length / 2)];
}

/** One line of the result: a figure and the bar it has to stay under. */
export function row(what, value, bar, details = {}) {
  return { what, value: round(value), bar, holds: value <= bar, ...details };
}

export function round(value) {
  return Math.round(value * 100) / 100;
}
