import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseNotes } from "../../src/notes/parse.js";
import { scratchRepository } from "../support/scratch.js";
import { seed, seededRandom } from "../support/seeded-random.js";
import { answerOf, type FileKind, forkPerson, forkUpdater, targetIn, update } from "./support/processes.js";

// For the record 200 rounds and 1,000 saves; by default what takes about two minutes.
const rounds = Number(process.env.RALPH_TEST_ROUNDS ?? 40);
const saves = Number(process.env.RALPH_TEST_SAVES ?? 250);

const fileKinds: FileKind[] = ["notes", "continuity"];
const saveKinds = ["rename", "append", "in-place"] as const;
/** Without a name of a call: at a random time. */
const callsToDieAt = ["before,renameSync", "behind,renameSync", ""];
const moments = ["prepared", "linked", "replaced"] as const;
type SaveKind = (typeof saveKinds)[number];

console.log(`RALPH_SEED=${seed}`);

function stopAfterTest(child: ChildProcess): ChildProcess {
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function prepareProject(kind: FileKind): string {
  const cwd = scratchRepository();
  const target = targetIn(cwd, kind);
  mkdirSync(dirname(target));
  const lines = Array.from({ length: 100 }, (_, number) => `line ${number} of prose that nobody touches`);
  const start =
    kind === "notes"
      ? `# Memories\n\n${lines.join("\n")}\n\n## Patterns\n\n## Fixes\n`
      : "# Mine\n\nfirst words\n";
  writeFileSync(target, start);
  return cwd;
}

/** What a person adds in one save. */
const savedText = (kind: FileKind, number: number) =>
  kind === "continuity"
    ? `a line of mine, number ${number} of many\n`
    : `\n### mem-1700000000-${number.toString(16).padStart(4, "0")}\n> saved by a person, number ${number}\n<!-- tags: mine | created: 2024-01-01 -->\n`;

async function startUpdater(cwd: string, kind: FileKind): Promise<ChildProcess> {
  const updater = stopAfterTest(forkUpdater(cwd, kind));
  await answerOf(updater);
  await update(updater, "the first");
  return updater;
}

/** What is not there exactly once. */
const findLost = (text: string, expected: readonly string[]) =>
  expected.flatMap((each) => {
    const times = text.split(each.trim()).length - 1;
    return times === 1 ? [] : [`${times} times: ${each}`];
  });

describe.each(fileKinds)("saves timed by what Ralph does to %s", (kind) => {
  it.each(saveKinds)("by %s are in the file, or in its previous version", async (saveKind) => {
    const { next: random } = seededRandom();
    const cwd = prepareProject(kind);
    const updater = await startUpdater(cwd, kind);
    const person = stopAfterTest(forkPerson(cwd, kind));
    const figures = Object.fromEntries(moments.map((moment) => [moment, { saves: 0, previous: 0, lost: 0 }]));
    for (let round = 0; round < rounds; round += 1) {
      const line = savedText(kind, round);
      const moment = moments[round % moments.length] ?? "prepared";
      const ready = answerOf(person);
      person.send({ kind: saveKind, line, moment, delayUs: random() < 0.5 ? 0 : Math.floor(random() * 300) });
      await ready;
      const done = answerOf(person);
      await update(updater, `round ${round}`);
      const counts = figures[moment];
      if ((await done) !== "saved" || counts === undefined) continue;
      counts.saves += 1;
      if (readFileSync(targetIn(cwd, kind), "utf8").includes(line.trim())) continue;
      counts[hasInPrevious(cwd, kind, line) ? "previous" : "lost"] += 1;
    }
    console.log(`${kind}, ${saveKind}: ${JSON.stringify(figures)}`);
    const lost = Object.values(figures).reduce((sum, counts) => sum + counts.lost, 0);
    // A rename in the moment between the last check and our own rename leaves nothing of what was saved.
    expect(lost).toBeLessThanOrEqual(saveKind === "rename" ? rounds / 3 : 0);
  });
});

function hasInPrevious(cwd: string, kind: FileKind, line: string): boolean {
  const name = kind === "notes" ? ".agent-memories.md" : "CONTINUITY.md";
  return readFileSync(join(cwd, ".ralph/previous", name), "utf8").includes(line.trim());
}

function saveNow(target: string, saveKind: SaveKind, line: string): void {
  if (saveKind === "append") {
    appendFileSync(target, line);
    return;
  }
  const content = Buffer.concat([readFileSync(target), Buffer.from(line)]);
  if (saveKind === "rename") {
    writeFileSync(`${target}.swp`, content);
    renameSync(`${target}.swp`, target);
    return;
  }
  const file = openSync(target, "r+");
  ftruncateSync(file, 0);
  writeSync(file, content, 0, content.length, 0);
  closeSync(file);
}

describe.each(fileKinds)("saves of %s at random times", (kind) => {
  it("lose almost nothing", async () => {
    const { next: random } = seededRandom();
    const cwd = prepareProject(kind);
    const target = targetIn(cwd, kind);
    const updater = await startUpdater(cwd, kind);
    let isDone = false;
    let updates = 0;
    const working = (async () => {
      for (; !isDone; updates += 1) {
        await update(updater, `update ${updates}`);
        await pause(200 + random() * 300);
      }
    })();
    const expected: string[] = [];
    for (let number = 0; number < saves; number += 1) {
      const line = savedText(kind, number);
      const saveKind = saveKinds[Math.floor(random() * saveKinds.length)] ?? "append";
      saveNow(target, saveKind, line);
      expected.push(line);
      await pause(random() * 80);
    }
    isDone = true;
    await working;
    await update(updater, "the last");
    const lost = findLost(readFileSync(target, "utf8"), expected);
    console.log(`${kind}, natural mix: ${lost.length} of ${saves} saves lost, ${updates} updates`);
    expect(lost.length).toBeLessThanOrEqual(saves / 100);
  });
});

describe.each(fileKinds)("kill -9 while Ralph replaces %s", (kind) => {
  it("loses nothing and leaves nothing twice", async () => {
    const { next: random } = seededRandom();
    const cwd = prepareProject(kind);
    const target = targetIn(cwd, kind);
    const reader = await startUpdater(cwd, kind);
    const acknowledged: string[] = [];
    const saved: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const line = savedText(kind, round);
      appendFileSync(target, line);
      saved.push(line);
      const killAt = callsToDieAt[round % callsToDieAt.length] ?? "";
      const times = 2 + Math.floor(random() * 3);
      const updater = stopAfterTest(
        forkUpdater(cwd, kind, {
          mode: "endless",
          killAt: killAt === "" ? "" : `${killAt},${basename(target)},${times}`,
        }),
      );
      updater.on("message", (id) => acknowledged.push(String(id)));
      const closed = once(updater, "close");
      if (killAt === "") {
        await once(updater, "message");
        setTimeout(() => updater.kill("SIGKILL"), random() * 30);
      }
      await closed;
      expect(existsSync(target)).toBe(true);
      await update(reader, `round ${round}`);
    }
    const text = readFileSync(target, "utf8");
    expect(findLost(text, saved)).toEqual([]);
    if (kind === "continuity") return;
    const { blocks, problems } = parseNotes(readFileSync(target), { today: "2026-01-01" });
    expect(problems).toEqual([]);
    const ids = new Set(blocks.map(({ note }) => note.id));
    expect(acknowledged.filter((id) => !ids.has(id))).toEqual([]);
  });
});
