import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listBackups } from "../../src/store/sqlite/backups.js";
import { loadSqliteEngine, type SqliteEngine } from "../../src/store/sqlite/sqlite-driver.js";
import { type Random, seed, seededRandom } from "../support/seeded-random.js";
import { damages, databaseOf, disturbances, replacements } from "./support/fault-kinds.js";
import {
  type FaultModel,
  integrityOf,
  makeFaultModel,
  type Records,
  readRecords,
  recordKinds,
} from "./support/fault-model.js";
import { type FaultWorker, type Orders, type Said, startFaultWorker } from "./support/fault-worker.js";

const rounds = Number(process.env.RALPH_TEST_ROUNDS ?? 1000);
const roundsPerProject = 50;
const yearMs = 365 * 24 * 3600 * 1000;

const faultKinds = [
  ...Array<string>(8).fill("kill"),
  ...Array<string>(4).fill("damage"),
  ...Array<string>(3).fill("disturbance"),
  ...Array<string>(2).fill("clock"),
  ...Array<string>(2).fill("full disk"),
  "few files",
];

/** Refusals that are right whatever happens: a task that runs already, a note that a killed command may have deleted. */
const usualRefusals = ["wrong-use", "not-found", "already-exists"];
const refusalsFor: Record<string, string[]> = {
  "full disk": ["disk-full", "file-unusable"],
  "few files": ["file-unusable", "disk-full", "program-unusable"],
  ...Object.fromEntries(Object.keys(replacements).map((what) => [what, ["file-unusable", "store-damaged"]])),
};

/** A folder for a project, on a small disk of its own where that is allowed. */
function makeProject(): { root: string; isSmallDisk: boolean; remove(): void } {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-faults-")));
  let isSmallDisk = true;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", root], { stdio: "ignore" });
  } catch {
    isSmallDisk = false;
  }
  mkdirSync(join(root, ".git"));
  return {
    root,
    isSmallDisk,
    remove() {
      if (isSmallDisk) execFileSync("umount", ["-l", root]);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function chooseOperations(model: FaultModel, random: Random): Orders["operations"] {
  const notes = [...model.notes.keys()];
  const operations: Orders["operations"] = [];
  for (let left = 3 + random.below(4); left > 0; left -= 1) {
    const note = notes.splice(random.below(notes.length), 1)[0];
    const task = random.pick(model.tasks.slice(-4));
    const isRunning = task !== undefined && model.running.has(task);
    operations.push({
      verb: random.pick([
        "note",
        "task",
        "learning",
        ...(note === undefined ? [] : ["edit", "delete"]),
        ...(task === undefined ? [] : isRunning ? ["log", "log", "log", "complete"] : ["start"]),
        ...(random.below(8) === 0 ? ["handoff", "ledger", "continuity"] : []),
      ]),
      note,
      task,
    });
  }
  return operations;
}

class Campaign {
  readonly counts = new Map<string, number>();
  readonly #random: Random;
  readonly #engine: SqliteEngine;
  readonly #project = makeProject();
  readonly #model: FaultModel;
  #worker: FaultWorker | undefined;
  #workers = 0;

  constructor(engine: SqliteEngine, projectSeed: number) {
    this.#engine = engine;
    this.#random = seededRandom(projectSeed);
    this.#model = makeFaultModel(this.#project.root);
  }

  async run(count: number): Promise<void> {
    try {
      for (let round = 0; round < count; round += 1) await this.#round(round);
    } finally {
      await this.#stopWorker();
      this.#project.remove();
    }
  }

  get #database(): string {
    return databaseOf(this.#project.root);
  }

  async #round(round: number): Promise<void> {
    const { isSmallDisk } = this.#project;
    const chosen = round < 2 ? "quiet" : this.#random.pick(faultKinds);
    const kind = chosen === "full disk" && !isSmallDisk ? "quiet" : chosen;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    if (kind === "kill") await this.#kill();
    else if (kind === "damage") await this.#damage();
    else if (kind === "few files") await this.#fewFiles();
    else await this.#session(kind);
    if (this.#random.below(12) === 0 && existsSync(this.#database)) {
      await this.#stopWorker();
      copyFileSync(this.#database, `${this.#database}-older-copy`);
    }
  }

  async #waitingWorker(): Promise<FaultWorker> {
    if (this.#worker === undefined) {
      this.#workers += 1;
      this.#worker = startFaultWorker(this.#project.root, `r${this.#workers}`);
      this.#hear(await this.#worker.untilItWaits(), "start");
    }
    return this.#worker;
  }

  async #stopWorker(): Promise<void> {
    await this.#worker?.stop();
    this.#worker = undefined;
  }

  /** Takes notice of what was acknowledged; anything but a word about what is wrong is a fault of ours. */
  #hear(said: readonly Said[], kind: string): void {
    for (const one of said) {
      this.#model.take(one);
      if (one.kind === "X" || one.kind === "gone") this.#fail(kind, one.content);
      const refusals = [...usualRefusals, ...(refusalsFor[kind] ?? [])];
      if (one.kind === "E" && !refusals.includes(one.content.code)) this.#fail(kind, one.content);
    }
  }

  #fail(kind: string, content: unknown): never {
    throw new Error(`RALPH_SEED=${seed}, after ${kind}: ${JSON.stringify(content, undefined, 1)}`);
  }

  async #session(kind: string): Promise<void> {
    const worker = await this.#waitingWorker();
    const operations = chooseOperations(this.#model, this.#random);
    const isInterrupted = kind === "disturbance" || kind === "full disk";
    const shifts = [-60 * yearMs, -2 * yearMs, -yearMs / 365, yearMs / 365, yearMs, 90 * yearMs];
    worker.go({
      operations,
      clockShiftMs: kind === "clock" ? this.#random.pick(shifts) : 0,
      middleAt: isInterrupted ? 1 + this.#random.below(operations.length - 1) : -1,
      repair: false,
    });
    let said = await worker.untilItWaits();
    let what = kind;
    const filler = join(this.#project.root, "filler");
    if (isInterrupted && said.at(-1)?.content.place === "middle") {
      this.#hear(said, kind);
      if (kind === "full disk") {
        const { bavail, bsize } = statfsSync(this.#project.root);
        writeFileSync(filler, new Uint8Array(Math.max(0, bavail * bsize - this.#random.below(20) * 4096)));
      } else if (existsSync(this.#database)) {
        const all = { ...disturbances, ...replacements };
        what = this.#random.pick(Object.keys(all));
        all[what]?.(this.#database, this.#random);
      }
      worker.go({});
      said = await worker.untilItWaits();
      rmSync(filler, { force: true });
    }
    this.#hear(said, what);
    if (what in replacements) await this.#repair(what);
    else this.#verify(`${kind}: ${what}`);
  }

  async #kill(): Promise<void> {
    const worker = await this.#waitingWorker();
    worker.go({
      operations: chooseOperations(this.#model, this.#random),
      clockShiftMs: 0,
      middleAt: -1,
      repair: false,
    });
    const timer = setTimeout(() => worker.child.kill("SIGKILL"), this.#random.below(160));
    const said = await worker.untilItWaits();
    clearTimeout(timer);
    worker.child.kill("SIGKILL");
    await worker.stop();
    this.#worker = undefined;
    this.#model.running.clear();
    this.#hear(
      said.filter(({ kind }) => kind !== "gone"),
      "kill",
    );
    this.#verify("kill");
  }

  async #fewFiles(): Promise<void> {
    await this.#stopWorker();
    this.#model.running.clear();
    this.#workers += 1;
    const worker = startFaultWorker(this.#project.root, `r${this.#workers}`, 20 + this.#random.below(10));
    const first = await worker.untilItWaits();
    // Node itself may not start with so few.
    if (first.some(({ kind }) => kind === "gone")) return;
    worker.go({
      operations: chooseOperations(this.#model, this.#random),
      clockShiftMs: 0,
      middleAt: -1,
      repair: false,
    });
    const said = await worker.untilItWaits();
    await worker.stop();
    this.#model.running.clear();
    this.#hear(said, "few files");
    this.#verify("few files");
  }

  async #damage(): Promise<void> {
    await this.#stopWorker();
    if (!existsSync(this.#database)) return;
    const what = this.#random.pick(Object.keys(damages));
    const backups = listBackups(join(this.#project.root, ".ralph"));
    // Older backups may be of records whose numbers were given again after a loss.
    const backedUp = backups.flatMap(({ path }) => readRecords(this.#engine, path) ?? []).slice(0, 1);
    rmSync(`${this.#database}-older-copy`, { force: true });
    damages[what]?.(this.#database, this.#random);
    const { present, details } = await this.#repair(what);
    this.#compareWithBackups(what, present, backedUp, details);
    // SQLite does not see a flipped bit in a text.
    if (!what.startsWith("flipped bits")) this.#compareWithLoss(what, present, details);
    this.#model.accept(present);
  }

  async #repair(what: string): Promise<{ present: Records; details: string[] }> {
    await this.#stopWorker();
    const worker = await this.#waitingWorker();
    worker.go({ operations: [], clockShiftMs: 0, middleAt: -1, repair: true });
    const said = await worker.untilItWaits();
    this.#hear(said, what);
    const health = said.find(({ kind }) => kind === "H")?.content;
    const details: string[] = health.checks.map(
      ({ part, status, detail }: Record<string, string>) => `${part} ${status}: ${detail}`,
    );
    if (!existsSync(this.#database)) this.#fail(what, details);
    expect([what, integrityOf(this.#engine, this.#database)]).toEqual([what, "ok"]);
    const present = readRecords(this.#engine, this.#database);
    if (present === undefined) this.#fail(what, details);
    if (what in replacements) this.#model.accept(present);
    return { present, details };
  }

  #compareWithBackups(
    what: string,
    present: Records,
    backedUp: readonly Records[],
    details: readonly string[],
  ): void {
    for (const kind of recordKinds) {
      const gone = backedUp
        .flatMap((backup) => [...backup[kind]])
        .filter((marker) => !present[kind].has(marker));
      if (gone.length > 0) this.#fail(what, { kind, gone, details });
    }
  }

  /** Whatever is gone was reported, by the table that it was in. */
  #compareWithLoss(what: string, present: Records, details: readonly string[]): void {
    const reported = details.find((line) => line.includes("could not be read in full")) ?? "";
    for (const [kind, missing] of Object.entries(this.#model.missingFrom(present)))
      if (missing.length > 0 && !new RegExp(`\\b${kind}s\\b|most tables`).test(reported))
        this.#fail(what, { kind, missing, details });
  }

  #verify(what: string): void {
    const wrongNotes = this.#model.wrongNotes();
    if (wrongNotes.length > 0) this.#fail(what, { wrongNotes });
    if (!existsSync(this.#database)) return;
    expect([what, integrityOf(this.#engine, this.#database)]).toEqual([what, "ok"]);
    const present = readRecords(this.#engine, this.#database);
    if (present === undefined) this.#fail(what, "the database cannot be read");
    const missing = this.#model.missingFrom(present);
    if (Object.values(missing).some((markers) => markers.length > 0)) this.#fail(what, { missing });
  }
}

it(`keeps what it acknowledged in ${rounds} rounds of faults (RALPH_SEED=${seed})`, async () => {
  const engine = await loadSqliteEngine();
  const counts = new Map<string, number>();
  let project = 0;
  const lane = async () => {
    while (project * roundsPerProject < rounds) {
      const number = project;
      project += 1;
      const campaign = new Campaign(engine, seed + number);
      await campaign.run(Math.min(roundsPerProject, rounds - number * roundsPerProject));
      for (const [kind, count] of campaign.counts) counts.set(kind, (counts.get(kind) ?? 0) + count);
    }
  };
  const ends = await Promise.allSettled([lane(), lane()]);
  for (const end of ends) if (end.status === "rejected") throw end.reason;
  console.log(`RALPH_SEED=${seed}: ${[...counts].map(([kind, count]) => `${count} ${kind}`).join(", ")}`);
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(rounds);
});
