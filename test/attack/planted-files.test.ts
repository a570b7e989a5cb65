import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type BuildCopy, copyBuildForEverybody } from "../support/copy-build.js";
import { seed } from "../support/seeded-random.js";
import { allCells, type Cell, pairedCells } from "./support/planted/cells.js";
import { triedCommands } from "./support/planted/commands.js";
import { plant, plantedKinds } from "./support/planted/kinds.js";
import { type Lane, makeLane, restoreLane } from "./support/planted/lanes.js";
import { tryCommand } from "./support/planted/try-command.js";

/** RALPH_MATRIX=full tries every triple, which takes an hour; else every pair. */
const isFull = process.env.RALPH_MATRIX === "full";
/** RALPH_MATRIX_ONLY="hook .*pipe" tries only what has such a name. */
const only = new RegExp(process.env.RALPH_MATRIX_ONLY ?? "");
const laneCount = 4;

let build: BuildCopy;
let folder: string;
const lanes: Lane[] = [];

beforeAll(async () => {
  build = copyBuildForEverybody();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-planted-")));
  chmodSync(folder, 0o755);
  const folders = Array.from({ length: laneCount }, (_, index) => join(folder, `lane-${index}`));
  for (const each of folders) mkdirSync(each, { mode: 0o755 });
  lanes.push(...(await Promise.all(folders.map((each) => makeLane(each, build)))));
}, 300_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  build.remove();
});

const nameOf = ({ command, path, kind, home }: Cell) =>
  `${command.name} | ${path} | ${kind.name} | ${home === "home" ? "own" : "first seen"}`;

/** What is wrong after one command in a project with one planted thing. */
async function tryCell(lane: Lane, { command, column, kind, home }: Cell): Promise<string[]> {
  const path = lane.paths[column] ?? "";
  restoreLane(lane);
  plant(kind, path, lane);
  const { wrong } = await tryCommand(lane, command, home);
  // What people write may be kept elsewhere in the project.
  return path.startsWith(".ralph") ? wrong : wrong.filter((each) => !each.endsWith("of precious.txt"));
}

it(
  `no planted file makes a command touch, show or wait for what is outside (RALPH_SEED=${seed})`,
  async () => {
    const [first] = lanes;
    if (first === undefined) throw new Error("there is no lane");
    const factors = { commands: triedCommands, paths: first.paths, kinds: plantedKinds };
    const cells = (isFull ? allCells : pairedCells)(factors, seed).filter((cell) => only.test(nameOf(cell)));
    const waiting = [...cells];
    const failed: string[] = [];
    const work = async (lane: Lane) => {
      for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
        const wrong = await tryCell(lane, cell);
        if (wrong.length > 0) failed.push(`${nameOf(cell)} | ${wrong.join("; ")}`);
      }
    };
    await Promise.all(lanes.map(work));
    const table = ["command | path | kind | store | what happened", ...failed.sort()].join("\n");
    if (process.env.RALPH_MATRIX_REPORT) writeFileSync(process.env.RALPH_MATRIX_REPORT, `${table}\n`);
    if (failed.length > 0) expect.fail(`${failed.length} of ${cells.length} cells failed\n${table}`);
    expect(cells.length).toBeGreaterThan(0);
  },
  isFull ? 4 * 3_600_000 : 3_600_000,
);
