import {
  closeSync,
  fstatSync,
  futimesSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readFileSnapshot } from "../../../src/files/read-file.js";
import type { SharedFile } from "../../../src/files/shared/kept-entries.js";
import { removeVersion } from "../../../src/files/shared/late/remove-version.js";
import { type ReplacedFile, replaceShared } from "../../../src/files/shared/replace-shared.js";
import { settleShared } from "../../../src/files/shared/settle-shared.js";
import { mergeLines } from "../../support/merge-lines.js";
import { scratchFolder } from "../../support/scratch.js";

interface Scratch {
  folder: string;
  path: string;
  file: SharedFile;
}

function scratchFile(text: string): Scratch {
  const folder = scratchFolder();
  mkdirSync(join(folder, ".agent"));
  mkdirSync(join(folder, ".ralph"));
  const path = join(folder, ".agent", "file.md");
  writeFileSync(path, text);
  // Long ago, so that nobody waits for it to come to rest.
  utimesSync(path, 1_700_000_000, 1_700_000_000);
  return { folder, path, file: { path, storeDirectory: join(folder, ".ralph") } };
}

/** Replaces a line by others, as Ralph does: what stays is taken over from what was read. */
async function edit({ file }: Scratch, line: string, ...others: string[]): Promise<ReplacedFile> {
  const snapshot = readFileSnapshot(file.path);
  const { bytes = Buffer.alloc(0) } = snapshot;
  const start = bytes.indexOf(`${line}\n`);
  if (start < 0) throw new Error(`There is no ${line}`);
  const added = Buffer.from(others.map((other) => `${other}\n`).join(""));
  const parts = [bytes.subarray(0, start), added, bytes.subarray(start + line.length + 1)];
  const result = await replaceShared(file, parts, snapshot);
  if (result.kind !== "written") throw new Error("It was not written");
  await result.onDisk;
  return result;
}

function opened({ path }: Scratch): number {
  const descriptor = openSync(path, "a");
  onTestFinished(() => closeSync(descriptor));
  return descriptor;
}

const linesOf = ({ path }: Scratch) => readFileSync(path, "utf8").trimEnd().split("\n");

/** Until nothing is left to do. */
async function settled(scratch: Scratch): Promise<string[]> {
  while ((await settleShared(scratch.file, mergeLines)) !== undefined);
  return linesOf(scratch);
}

function filesOf({ folder }: Scratch, kind: string): string[] {
  const replaced = join(folder, ".ralph", "replaced");
  const [name = ""] = readdirSync(replaced).filter((each) => each.startsWith("file.md-"));
  const names = readdirSync(join(replaced, name)).filter((each) => each.endsWith(`.${kind}`));
  return names.sort().map((each) => join(replaced, name, each));
}

/** Of a smaller file, each version is copied. */
const prose = Array.from(
  { length: 50 },
  (_, number) => `line ${number} that nobody touches${".".repeat(1500)}`,
);

let scratch: Scratch;
beforeEach(() => {
  scratch = scratchFile(`${["count 0", ...prose].join("\n")}\n`);
});

/** Each edit takes one line away, which comes back wherever nobody can tell what a file contained. */
async function countTo(last: number, from = 0): Promise<number[]> {
  const descriptors: number[] = [];
  for (let count = from; count < last; count += 1) {
    descriptors.push(opened(scratch));
    await edit(scratch, `count ${count}`, `count ${count + 1}`);
  }
  return descriptors;
}

describe("what a file contained that Ralph edits again and again", () => {
  it("is copied now and then, and told by the edits in between", async () => {
    await countTo(40);
    expect(filesOf(scratch, "kept")).toHaveLength(40);
    expect(filesOf(scratch, "edit")).toHaveLength(40);
    expect(filesOf(scratch, "base")).toHaveLength(3);
  });

  it("is known of each version to which somebody writes later", async () => {
    const descriptors = await countTo(16);
    for (const [version, descriptor] of descriptors.entries()) writeSync(descriptor, `late ${version}\n`);
    const lines = await settled(scratch);
    expect(lines.filter((line) => line.startsWith("count"))).toEqual(["count 16"]);
    expect(lines.filter((line) => line.startsWith("late")).sort()).toEqual(
      descriptors.map((_, version) => `late ${version}`).sort(),
    );
    expect(lines).toEqual(expect.arrayContaining(prose));
    expect(await settled(scratch)).toEqual(lines);
  });

  it("is known of later versions when a write to an earlier one has been merged, and of that one too", async () => {
    const descriptors = await countTo(6);
    const [, first = 0, second = 0] = descriptors;
    for (const [text, descriptor] of [
      ["first", first],
      ["second", second],
      ["first again", first],
    ] as const) {
      writeSync(descriptor, `${text}\n`);
      // So long ago that it has been looked at for good.
      futimesSync(descriptor, 1_700_000_000, 1_700_000_000 + Math.random());
      expect((await settled(scratch)).filter((line) => !prose.includes(line))).toContain(text);
    }
    expect(filesOf(scratch, "seen")).toHaveLength(2);
    expect(linesOf(scratch).filter((line) => /^(?:count|first|second)/.test(line))).toEqual([
      "count 6",
      "first",
      "second",
      "first again",
    ]);
  });

  it("is copied again when somebody else has saved", async () => {
    await countTo(3);
    writeFileSync(
      join(scratch.folder, "swp"),
      readFileSync(scratch.path, "utf8").replace("line 7", "theirs"),
    );
    renameSync(join(scratch.folder, "swp"), scratch.path);
    const [, descriptor = 0] = await countTo(6, 3);
    expect(filesOf(scratch, "base")).toHaveLength(2);
    writeSync(descriptor, "late\n");
    const lines = await settled(scratch);
    expect(lines.filter((line) => /^(?:count|theirs|late)/.test(line))).toEqual([
      "count 6",
      expect.stringMatching(/^theirs that nobody touches/),
      "late",
    ]);
  });

  it("is known when an edit was taken back", async () => {
    await countTo(3);
    const descriptor = opened(scratch);
    (await edit(scratch, "count 3", "count three")).restore();
    expect(linesOf(scratch)).toContain("count 3");
    await countTo(5, 3);
    writeSync(descriptor, "late\n");
    const lines = await settled(scratch);
    expect(lines.filter((line) => /^(?:count|late)/.test(line))).toEqual(["count 5", "late"]);
  });

  it("counts as unknown where a copy or an edit is gone or damaged: nothing is lost, and nothing fails", async () => {
    for (const damage of ["gone", "damaged"]) {
      const [file = ""] = await countTo(4).then(() => filesOf(scratch, "edit"));
      const descriptor = opened(scratch);
      await edit(scratch, "count 4", "count 5");
      if (damage === "gone") rmSync(file);
      else writeFileSync(file, "\0\0");
      writeSync(descriptor, "late\n");
      expect(await settled(scratch)).toEqual(expect.arrayContaining(["count 5", "late", ...prose]));
      scratch = scratchFile(`${["count 0", ...prose].join("\n")}\n`);
    }
  });

  it("is copied where the copy before was not whole, as after a loss of power", async () => {
    await countTo(2);
    for (const base of filesOf(scratch, "base")) writeFileSync(base, "");
    const [, descriptor = 0] = await countTo(4, 2);
    writeSync(descriptor, "late\n");
    expect((await settled(scratch)).filter((line) => /^(?:count|late)/.test(line))).toEqual([
      "count 4",
      "late",
    ]);
  });

  it("is told by what is in the folder of the kept file, which another project may not look into", async () => {
    const linking = scratchFile("");
    rmSync(linking.path);
    symlinkSync(scratch.path, linking.path);
    for (const count of [0, 1]) await edit(linking, `count ${count}`, `count ${count + 1}`);
    const descriptor = opened(scratch);
    await edit(scratch, "count 2", "count 3");
    rmSync(join(scratch.folder, ".agent", ".ralph-replaced"), { recursive: true });
    writeSync(descriptor, "late\n");
    expect((await settled(scratch)).filter((line) => /^(?:count|late)/.test(line))).toEqual([
      "count 3",
      "late",
    ]);
  });

  it("is copied where a whole file is written that shares nothing in memory with the one before", async () => {
    for (let length = 40; length > 30; length -= 1) {
      const snapshot = readFileSnapshot(scratch.path);
      await replaceShared(scratch.file, [Buffer.from(prose.slice(0, length).join("\n"))], snapshot);
    }
    expect(filesOf(scratch, "edit")).toEqual([]);
    expect(filesOf(scratch, "base")).toHaveLength(10);
  });

  it("can be told without what is removed from it on purpose", async () => {
    const descriptors = await countTo(12);
    const isUnwanted = (bytes: Buffer) => /^count [2-5]\n/.test(String(bytes));
    for (const path of [...filesOf(scratch, "base"), ...filesOf(scratch, "edit").slice(1, 5)])
      removeVersion(path, isUnwanted);
    expect(filesOf(scratch, "base").map((path) => readFileSync(path, "utf8").split("\n")[0])).toEqual([
      "count 1",
      "count 6",
    ]);
    for (const version of [1, 6, 11]) writeSync(descriptors[version] ?? 0, `late ${version}\n`);
    expect((await settled(scratch)).filter((line) => /^(?:count|late)/.test(line))).toEqual([
      "count 12",
      "late 1",
      "late 6",
      "late 11",
    ]);
  });

  it("takes little space, and outlives the versions that it was made from", async () => {
    const megabytes = 3;
    const large = `${"x".repeat(1023)}\n`.repeat(megabytes * 1024);
    scratch = scratchFile(`count 0\n${large}`);
    await countTo(26);
    const kept = filesOf(scratch, "kept");
    const bases = filesOf(scratch, "base");
    const sizeOf = (files: string[]) => files.reduce((sum, path) => sum + statSync(path).size, 0);
    expect(kept.length).toBeGreaterThan(8);
    expect(sizeOf(kept)).toBeLessThanOrEqual(32 * 1024 * 1024 + sizeOf(kept.slice(0, 1)));
    expect(bases.length).toBeLessThanOrEqual(2);
    const [oldest = ""] = kept;
    writeFileSync(oldest, "late\n", { flag: "a" });
    const lines = await settled(scratch);
    expect(lines.filter((line) => /^(?:count|late)/.test(line))).toEqual(["count 26", "late"]);
  });

  it("is known where a single version fills the space, and an edit was taken back", async () => {
    scratch = scratchFile(`count 0\n${`${"x".repeat(1023)}\n`.repeat(17 * 1024)}`);
    await countTo(1);
    (await edit(scratch, "count 1", "count one")).restore();
    const [descriptor = 0] = await countTo(2, 1);
    writeSync(descriptor, "late\n");
    const lines = await settled(scratch);
    expect(lines.filter((line) => /^(?:count|late)/.test(line))).toEqual(["count 2", "late"]);
  });

  it("is told by nothing any more once no version needs it", async () => {
    const large = `${"x".repeat(1023)}\n`.repeat(3 * 1024);
    scratch = scratchFile(`count 0\n${large}`);
    await countTo(60);
    const tokens = (kind: string) => filesOf(scratch, kind).map((path) => path.replace(/^.*\/|\..*$/g, ""));
    const [oldestBase = ""] = tokens("base");
    const [oldestKept = ""] = tokens("kept");
    expect(tokens("base").filter((token) => token < oldestKept).length).toBeLessThanOrEqual(1);
    expect(tokens("edit").filter((token) => token < oldestBase)).toEqual([]);
  });
});

describe("whatever people and Ralph do in turns", () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("edit" as const), place: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("open" as const), place: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("late" as const), place: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("save" as const), place: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("take back" as const), place: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("settle" as const), place: fc.nat() }) },
  );

  it("no line of theirs is lost, and none that Ralph took away comes back", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const own = scratchFile(`${["ours 0", ...prose].join("\n")}\n`);
        const descriptors: number[] = [];
        const theirs: string[] = [];
        let ours = "ours 0";
        try {
          for (const [number, { kind, place }] of steps.entries()) {
            // What somebody else has replaced is gone for whoever has it open.
            const reached = descriptors.filter((each) => fstatSync(each).nlink > 0);
            const descriptor = reached[place % Math.max(1, reached.length)];
            const said = `theirs ${number}`;
            if (kind === "edit") {
              await settled(own);
              await edit(own, ours, `ours ${number}`);
              ours = `ours ${number}`;
            } else if (kind === "take back") {
              await settled(own);
              (await edit(own, ours, "never")).restore();
            } else if (kind === "open") descriptors.push(openSync(own.path, "a"));
            else if (kind === "late" && descriptor !== undefined) {
              writeSync(descriptor, `${said}\n`);
              futimesSync(descriptor, 1_700_000_000, 1_700_000_000 + number);
              theirs.push(said);
            } else if (kind === "save") {
              await settled(own);
              writeFileSync(join(own.folder, "swp"), `${readFileSync(own.path, "utf8")}${said}\n`);
              utimesSync(join(own.folder, "swp"), 1_700_000_000, 1_700_000_000 + number);
              renameSync(join(own.folder, "swp"), own.path);
              theirs.push(said);
            } else if (kind === "settle") await settled(own);
          }
          const lines = await settled(own);
          expect(lines.filter((line) => line.startsWith("ours") || line === "never")).toEqual([ours]);
          expect(lines.filter((line) => line.startsWith("theirs")).sort()).toEqual(theirs.sort());
        } finally {
          for (const descriptor of descriptors) closeSync(descriptor);
        }
      }),
      { numRuns: 60 },
    );
  });
});
