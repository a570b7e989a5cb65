import { execFileSync } from "node:child_process";
import fs, {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { absentStamp, stampFile } from "../../src/files/file-stamp.js";
import { replaceIfUnchanged, whileLocked } from "../../src/files/replace-file.js";
import { atCall } from "../support/at-call.js";
import { scratchFolder } from "../support/scratch.js";

let folder: string;
let path: string;
let previous: string;
beforeEach(() => {
  folder = scratchFolder();
  path = join(folder, "file.md");
  previous = join(folder, "store", "previous", "file.md");
});

const bytes = (text: string) => [Buffer.from(text)];
const read = (of = path) => readFileSync(of, "utf8");

describe("replacing a file", () => {
  it("creates it with its folder, and leaves nothing else behind", () => {
    const deep = join(folder, "deep", "file.md");
    const parts = [Buffer.from("a"), Buffer.from(""), Buffer.from("b")];
    expect(replaceIfUnchanged(deep, parts, absentStamp)).toBe(stampFile(deep));
    expect(read(deep)).toBe("ab");
    expect(readdirSync(join(folder, "deep"))).toEqual(["file.md"]);
  });

  it("changes nothing if somebody saved it meanwhile", () => {
    writeFileSync(path, "theirs");
    expect(replaceIfUnchanged(path, bytes("mine"), absentStamp)).toBeUndefined();
    expect(read()).toBe("theirs");
    expect(readdirSync(folder)).toEqual(["file.md"]);
  });

  it("replaces no pipe or device", () => {
    execFileSync("mkfifo", [path]);
    expect(() => replaceIfUnchanged(path, bytes("mine"), stampFile(path))).toThrow(/is not a plain file/);
    expect(statSync(path).isFIFO()).toBe(true);
  });

  it("keeps the mode", () => {
    writeFileSync(path, "old");
    chmodSync(path, 0o640);
    replaceIfUnchanged(path, bytes("new"), stampFile(path));
    expect([read(), statSync(path).mode & 0o777]).toEqual(["new", 0o640]);
  });

  it("follows a symbolic link, even if its target does not exist yet", () => {
    const link = join(folder, "link.md");
    symlinkSync("target.md", link);
    expect(replaceIfUnchanged(link, bytes("first"), absentStamp)).toBeDefined();
    expect(replaceIfUnchanged(link, bytes("second"), stampFile(link))).toBeDefined();
    expect(read(join(folder, "target.md"))).toBe("second");
    expect(readdirSync(folder).sort()).toEqual(["link.md", "target.md"]);
  });

  it("removes old leftovers of a killed writer", () => {
    const leftover = join(folder, ".file.md.123-abc.ralph-tmp");
    writeFileSync(leftover, "");
    utimesSync(leftover, 1, 1);
    replaceIfUnchanged(path, bytes("x"), absentStamp);
    expect(readdirSync(folder)).toEqual(["file.md"]);
  });

  it("says what to do if a directory is in the way", () => {
    mkdirSync(path);
    expect(() => replaceIfUnchanged(path, bytes("x"), stampFile(path))).toThrow(
      /Expected a file, found a directory/,
    );
    expect(existsSync(path)).toBe(true);
  });
});

describe("the previous version", () => {
  const saves = {
    append: () => writeFileSync(path, "theirs\n", { flag: "a" }),
    "in place": () => writeFileSync(path, "one\ntheirs\n"),
    rename() {
      writeFileSync(join(folder, "swp"), "one\ntheirs\n");
      renameSync(join(folder, "swp"), path);
    },
  };
  const replace = () => replaceIfUnchanged(path, bytes("one\nours\n"), stampFile(path), { previous });

  beforeEach(() => writeFileSync(path, "one\n"));

  it("stays until the next replacement", () => {
    expect(replace()).toBe(stampFile(path));
    expect([read(), read(previous)]).toEqual(["one\nours\n", "one\n"]);
    replaceIfUnchanged(path, bytes("two\n"), stampFile(path), { previous });
    expect(read(previous)).toBe("one\nours\n");
    expect(readdirSync(join(previous, ".."))).toEqual(["file.md"]);
  });

  it.each(Object.entries(saves))("is not replaced once it was saved by %s", (_, save) => {
    atCall("before", "linkSync", (from) => from === path, save);
    expect(replace()).toBeUndefined();
    expect(read()).toBe("one\ntheirs\n");
  });

  it.each(["append", "in place"] as const)(
    "gets its name back if it was saved by %s in the last moment",
    (kind) => {
      atCall("before", "renameSync", (_, to) => to === path, saves[kind]);
      expect(replace()).toBeUndefined();
      expect(read()).toBe("one\ntheirs\n");
      expect(replace()).toBeDefined();
    },
  );

  it("is a copy where the file system has no links", () => {
    const { linkSync } = fs;
    fs.linkSync = () => {
      throw Object.assign(new Error("EPERM"), { code: "EPERM" });
    };
    syncBuiltinESMExports();
    onTestFinished(() => {
      fs.linkSync = linkSync;
      syncBuiltinESMExports();
    });
    expect(replace()).toBeDefined();
    expect([read(), read(previous)]).toEqual(["one\nours\n", "one\n"]);
  });

  it("is not put where a link leads", () => {
    const outside = scratchFolder();
    mkdirSync(join(folder, "store"));
    symlinkSync(outside, join(folder, "store", "previous"));
    expect(replace).toThrow("is a symbolic link");
    expect([read(), readdirSync(outside)]).toEqual(["one\n", []]);
  });
});

describe("a file that another program has open", () => {
  function failing(times: number, code: string): () => string {
    let left = times;
    return () => {
      if (left === 0) return "done";
      left -= 1;
      throw Object.assign(new Error(code), { code });
    };
  }

  it("is waited for on Windows", () => {
    expect(whileLocked(failing(3, "EBUSY"), true)).toBe("done");
    expect(() => whileLocked(failing(1000, "EPERM"), true)).toThrow("EPERM");
  });

  it("is not waited for where that cannot be, nor for another reason", () => {
    expect(() => whileLocked(failing(1, "EACCES"), false)).toThrow("EACCES");
    expect(() => whileLocked(failing(1, "ENOSPC"), true)).toThrow("ENOSPC");
  });
});
