import fs, {
  chmodSync,
  closeSync,
  ftruncateSync,
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
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { readFileSnapshot } from "../../../src/files/read-file.js";
import type { SharedFile } from "../../../src/files/shared/kept-entries.js";
import { type ReplacedFile, replaceShared } from "../../../src/files/shared/replace-shared.js";
import { settleShared } from "../../../src/files/shared/settle-shared.js";
import { atCall } from "../../support/at-call.js";
import { mergeLines } from "../../support/merge-lines.js";
import { git, scratchFolder, scratchRepository } from "../../support/scratch.js";

let folder: string;
let path: string;
let file: SharedFile;
beforeEach(() => {
  folder = scratchRepository();
  mkdirSync(join(folder, ".agent"));
  mkdirSync(join(folder, ".ralph"));
  path = join(folder, ".agent", "file.md");
  file = { path, storeDirectory: join(folder, ".ralph") };
});

const read = () => readFileSync(path, "utf8");
const write = (text: string) => replaceShared(file, [Buffer.from(text)], readFileSnapshot(path));

async function written(text: string): Promise<ReplacedFile> {
  const result = await write(text);
  if (result.kind !== "written") throw new Error("It was not written");
  await result.onDisk;
  return result;
}

async function settle(): Promise<string> {
  await settleShared(file, mergeLines);
  return read();
}

/** Long ago, so that nobody waits for it to come to rest. */
const age = (name: string) => utimesSync(name, 1_700_000_000, 1_700_000_000 + Math.random());

function keptFolder(): string {
  const replaced = join(folder, ".ralph", "replaced");
  const [name = ""] = readdirSync(replaced).filter((each) => each.startsWith("file.md-"));
  return join(replaced, name);
}

const saves = {
  rename(text: string) {
    writeFileSync(join(folder, "swp"), text);
    age(join(folder, "swp"));
    renameSync(join(folder, "swp"), path);
  },
  append: (_text: string, added: string) => writeFileSync(path, added, { flag: "a" }),
};

describe("a file that people write to", () => {
  it("is replaced with its mode, and leaves nothing beside it", async () => {
    writeFileSync(path, "old\n");
    chmodSync(path, 0o640);
    const { stamp } = await written("new\n");
    expect([read(), statSync(path).mode & 0o777]).toEqual(["new\n", 0o640]);
    expect(readFileSnapshot(path).stamp).toBe(stamp);
    expect(readdirSync(join(folder, ".agent"))).toEqual(["file.md"]);
  });

  it("and what it was before are nothing that git sees", async () => {
    writeFileSync(path, "old\n");
    await written("new\n");
    symlinkSync("file.md", join(folder, ".agent", "link.md"));
    file = { ...file, path: join(folder, ".agent", "link.md") };
    await written("newer\n");
    expect(read()).toBe("newer\n");
    expect(git(folder, "status", "--porcelain", "--untracked-files=all").split("\n").filter(Boolean)).toEqual(
      ["?? .agent/file.md", "?? .agent/link.md"],
    );
  });

  it("can be restored to the same inode, unless somebody else has written since", async () => {
    writeFileSync(path, "old\n");
    const { ino } = statSync(path);
    (await written("new\n")).restore();
    expect([read(), statSync(path).ino]).toEqual(["old\n", ino]);
    const second = await written("new\n");
    writeFileSync(path, "theirs\n");
    second.restore();
    expect(read()).toBe("theirs\n");
    rmSync(path);
    (await written("first\n")).restore();
    expect(readdirSync(join(folder, ".agent"))).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)("is not replaced when it is read-only", async () => {
    writeFileSync(path, "old\n");
    chmodSync(path, 0o444);
    await expect(write("new\n")).rejects.toThrow(/Permission denied/);
  });
});

describe("a save at the worst moment", () => {
  beforeEach(() => {
    writeFileSync(path, "one\ntwo\n");
    age(path);
  });

  it.each(["before", "behind"] as const)("by rename, right %s our first call, is merged", async (moment) => {
    atCall(
      moment,
      "renameSync",
      (from) => from === path,
      () => saves.rename("one\ntwo\ntheirs\n"),
    );
    const result = await write("one\nours\ntwo\n");
    const text = await settle();
    expect(text).toContain("theirs\n");
    expect(text.includes("ours\n")).toBe(result.kind === "written");
    expect(text).toMatch(/^one\n(?:ours\n)?two\ntheirs\n$/);
  });

  it("by rename behind our last call stands as it was saved", async () => {
    atCall(
      "behind",
      "linkSync",
      (_, to) => to === path,
      () => saves.rename("one\ntheirs\n"),
    );
    await write("one\ntwo\nours\n");
    expect(await settle()).toBe("one\ntheirs\n");
  });

  it("by an append to the missing name adds to what was there", async () => {
    atCall(
      "behind",
      "renameSync",
      (from) => from === path,
      () => saves.append("", "theirs\n"),
    );
    expect((await write("one\nours\ntwo\n")).kind).toBe("changed-meanwhile");
    expect(await settle()).toBe("one\ntwo\ntheirs\n");
  });

  it("by rename and by append at once keeps both", async () => {
    atCall(
      "before",
      "renameSync",
      (from) => from === path,
      () => saves.rename("one\ntwo\nfirst\n"),
    );
    atCall(
      "before",
      "linkSync",
      (_, to) => to === path,
      () => saves.append("", "second\n"),
    );
    await write("one\nours\ntwo\n");
    const lines = (await settle()).split("\n");
    expect(lines).toEqual(expect.arrayContaining(["one", "two", "first", "second"]));
  });

  it("through a descriptor that was opened before is merged, now or much later", async () => {
    const open = openSync(path, "a");
    const result = await written("one\nours\ntwo\n");
    expect(result.hasLateWrite()).toBe(false);
    writeSync(open, "theirs\n");
    expect(result.hasLateWrite()).toBe(true);
    expect(await settle()).toBe("one\nours\ntwo\ntheirs\n");
    for (let number = 0; number < 5; number += 1) await written(`${read()}update ${number}\n`);
    writeSync(open, "much later\n");
    expect(await settle()).toMatch(/^one\nours\ntwo\ntheirs\nupdate 0\n[\s\S]*update 4\n/);
    expect(read().match(/much later\n|theirs\n/g)).toEqual(["theirs\n", "much later\n"]);
    expect(await settle()).toBe(read());
    closeSync(open);
  });

  it("is merged again when an editor that had read the file before saves right behind the merge", async () => {
    const open = openSync(path, "a");
    await written("one\nours\ntwo\n");
    const stale = read();
    writeSync(open, "theirs\n");
    closeSync(open);
    expect(await settle()).toContain("theirs\n");
    saves.rename(`${stale}stale\n`);
    expect(await settle()).toBe("one\nours\ntwo\nstale\ntheirs\n");
  });

  it("in place, through a descriptor, keeps its changes and ours; an emptied file takes nothing away", async () => {
    const open = openSync(path, "r+");
    await written("one\nours\ntwo\n");
    ftruncateSync(open, 0);
    expect(await settle()).toBe("one\nours\ntwo\n");
    writeSync(open, "one\nTWO\n", 0);
    expect(await settle()).toBe("one\nours\nTWO\n");
    closeSync(open);
  });
});

describe("a file system", () => {
  const failing = (
    call: "renameSync" | "linkSync",
    code: string,
    isMeant: (from: string, to: string) => boolean,
  ) => {
    const original = fs[call];
    const restore = () => {
      fs[call] = original;
      syncBuiltinESMExports();
    };
    fs[call] = (from, to) => {
      if (isMeant(String(from), String(to))) throw Object.assign(new Error(code), { code });
      original(from, to);
    };
    syncBuiltinESMExports();
    onTestFinished(restore);
  };

  it("without links still merges late writes and can put the file back", async () => {
    failing("linkSync", "EPERM", () => true);
    writeFileSync(path, "one\ntwo\n");
    age(path);
    const open = openSync(path, "a");
    await written("one\nours\ntwo\n");
    writeSync(open, "theirs\n");
    closeSync(open);
    expect(await settle()).toBe("one\nours\ntwo\ntheirs\n");
    (await written("again\n")).restore();
    expect(read()).toBe("one\nours\ntwo\ntheirs\n");
  });

  it("other than that of Ralph's own folder keeps what was replaced beside the file", async () => {
    failing("renameSync", "EXDEV", (from, to) => from === path && to.startsWith(join(folder, ".ralph")));
    writeFileSync(path, "one\n");
    age(path);
    const open = openSync(path, "a");
    await written("one\nours\n");
    writeSync(open, "theirs\n");
    closeSync(open);
    expect(await settle()).toBe("one\nours\ntheirs\n");
    expect(git(folder, "status", "--porcelain", "--untracked-files=all")).toBe("?? .agent/file.md\n");
  });
});

describe("a writer that was killed", () => {
  const die = () => {
    throw Object.assign(new Error("killed"), { code: "KILLED" });
  };

  it("between the two names leaves a file that gets its name back, once", async () => {
    writeFileSync(path, "one\n");
    age(path);
    const { ino } = statSync(path);
    atCall("behind", "renameSync", (from) => from === path, die);
    await expect(write("two\n")).rejects.toThrow("killed");
    expect(readdirSync(join(folder, ".agent"))).toEqual([]);
    expect(await settle()).toBe("one\n");
    expect(statSync(path).ino).toBe(ino);
    expect(await settle()).toBe("one\n");
  });

  it("loses nothing that somebody saved under the missing name", async () => {
    writeFileSync(path, "one\n");
    age(path);
    atCall("behind", "renameSync", (from) => from === path, die);
    await expect(write("two\n")).rejects.toThrow("killed");
    saves.append("", "theirs\n");
    expect(await settle()).toBe("one\ntheirs\n");
  });
});

describe("a writer that was killed after a late save had been merged", () => {
  const keptName = () =>
    join(keptFolder(), readdirSync(keptFolder()).find((name) => name.endsWith(".kept")) ?? "");

  it.each([1, 2])("and before it could say so, for the %s. time, brings nothing back", async (count) => {
    writeFileSync(path, "one\nremoved by Ralph\ntwo\n");
    age(path);
    const open = openSync(path, "a");
    onTestFinished(() => closeSync(open));
    await written("one\ntwo\n");
    for (let save = 1; save <= count; save += 1) {
      const before = keptName();
      writeSync(open, `late ${save}\n`);
      futimesSync(open, 1_700_000_000, 1_700_000_000 + save);
      await settle();
      await settle();
      expect(keptName()).not.toBe(before);
      // As it was before the last step.
      if (save === count) renameSync(keptName(), before);
    }
    const late = Array.from({ length: count }, (_, index) => `late ${index + 1}\n`);
    expect(await settle()).toBe(`one\ntwo\n${late.join("")}`);
  });

  it("does not bring back a line of it that somebody has removed", async () => {
    writeFileSync(path, "one\n");
    age(path);
    const open = openSync(path, "a");
    onTestFinished(() => closeSync(open));
    await written("one\ntwo\n");
    const before = keptName();
    writeSync(open, "late\n");
    futimesSync(open, 1_700_000_000, 1_700_000_001);
    expect(await settle()).toContain("late\n");
    await settle();
    renameSync(keptName(), before);
    saves.rename("one\ntwo\n");
    expect(await settle()).toBe("one\ntwo\n");
  });
});

describe("links that a repository brings", () => {
  it.each(["replaced", "replaced/file.md"])("are no place for what was replaced: %s", async (which) => {
    const outside = scratchFolder();
    writeFileSync(path, "old\n");
    await written("new\n");
    const kept = keptFolder();
    const link = which === "replaced" ? dirname(kept) : kept;
    rmSync(link, { recursive: true });
    symlinkSync(outside, link);
    await expect(write("newer\n")).rejects.toThrow("is a symbolic link");
    expect(readdirSync(outside)).toEqual([]);
    expect(read()).toBe("new\n");
  });

  it("are not merged as late saves of files elsewhere", async () => {
    const outside = join(scratchFolder(), "key");
    writeFileSync(outside, "precious\n");
    writeFileSync(path, "old\n");
    await written("new\n");
    const [kept = ""] = readdirSync(keptFolder()).filter((name) => name.endsWith(".kept"));
    rmSync(join(keptFolder(), kept));
    symlinkSync(outside, join(keptFolder(), kept));
    expect(await settle()).toBe("new\n");
  });

  it("are not written through when a late save has been merged", async () => {
    const outside = join(scratchFolder(), "precious");
    writeFileSync(outside, "precious\n");
    writeFileSync(path, "old\n");
    await written("new\n");
    const planted = join(keptFolder(), "aaaaaaaa-1-a");
    writeFileSync(`${planted}.1-1-1.kept`, "payload\n");
    age(`${planted}.1-1-1.kept`);
    const links = ["base-", "seen-", "base", "seen", "draft", "edit", "1-1-1.2-2-2.edit"];
    for (const name of links) symlinkSync(outside, `${planted}.${name}`);
    for (let turn = 0; turn < 3; turn += 1) expect(await settle()).toContain("payload\n");
    expect(readFileSync(`${planted}.seen`, "utf8")).toBe("payload\n");
    expect(readFileSync(outside, "utf8")).toBe("precious\n");
  });

  it("and folders are no files of ours", async () => {
    writeFileSync(path, "old\n");
    await written("new\n");
    for (const rest of ["new", "base", "seen", "1-1-1.kept", "1-1-1.2-2-2.edit"])
      mkdirSync(join(keptFolder(), `aaaaaaaa-1-${rest.length}.${rest}`));
    await written("newer\n");
    expect(await settle()).toBe("newer\n");
    const planted = join(keptFolder(), "bbbbbbbb-1-b");
    writeFileSync(`${planted}.1-1-1.kept`, "payload\n");
    age(`${planted}.1-1-1.kept`);
    mkdirSync(`${planted}.seen`);
    for (let turn = 0; turn < 3; turn += 1) expect(await settle()).toBe("newer\npayload\n");
    expect(readdirSync(keptFolder()).filter((name) => name.endsWith(".draft"))).toEqual([]);
  });
});
