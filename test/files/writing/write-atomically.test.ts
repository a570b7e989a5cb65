import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { absentStamp, stampFile } from "../../../src/files/file-stamp.js";
import { writeAtomically } from "../../../src/files/writing/write-atomically.js";
import { scratchFolder } from "../../support/scratch.js";

const bytes = (text: string) => [Buffer.from(text)];

describe("writing atomically", () => {
  it("creates the file and its folder, and leaves nothing else behind", () => {
    const path = join(scratchFolder(), "deep", "file.md");
    const parts = [Buffer.from("a"), Buffer.from(""), Buffer.from("b")];
    expect(writeAtomically(path, parts, absentStamp)).toBe("written");
    expect(readFileSync(path, "utf8")).toBe("ab");
    expect(readdirSync(join(path, ".."))).toEqual(["file.md"]);
  });

  it("changes nothing if somebody changed the file meanwhile", () => {
    const path = join(scratchFolder(), "file.md");
    writeFileSync(path, "theirs");
    expect(writeAtomically(path, bytes("mine"), absentStamp)).toBe("changed-meanwhile");
    expect(readFileSync(path, "utf8")).toBe("theirs");
    expect(readdirSync(join(path, ".."))).toEqual(["file.md"]);
  });

  it("replaces no pipe or device", () => {
    const path = join(scratchFolder(), "pipe");
    execFileSync("mkfifo", [path]);
    expect(() => writeAtomically(path, bytes("mine"), stampFile(path))).toThrow(/is not a plain file/);
    expect(statSync(path).isFIFO()).toBe(true);
  });

  it("keeps the mode", () => {
    const path = join(scratchFolder(), "file.md");
    writeFileSync(path, "old");
    chmodSync(path, 0o640);
    writeAtomically(path, bytes("new"), stampFile(path));
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it("follows a symbolic link, even if its target does not exist yet", () => {
    const folder = scratchFolder();
    const link = join(folder, "link.md");
    symlinkSync("target.md", link);
    expect(writeAtomically(link, bytes("first"), absentStamp)).toBe("written");
    expect(writeAtomically(link, bytes("second"), stampFile(link))).toBe("written");
    expect(readFileSync(join(folder, "target.md"), "utf8")).toBe("second");
    expect(readdirSync(folder).sort()).toEqual(["link.md", "target.md"]);
  });

  it("removes old leftovers of a killed writer", () => {
    const folder = scratchFolder();
    const leftover = join(folder, ".file.md.123-abc.ralph-tmp");
    writeFileSync(leftover, "");
    utimesSync(leftover, 1, 1);
    writeAtomically(join(folder, "file.md"), bytes("x"), absentStamp);
    expect(readdirSync(folder)).toEqual(["file.md"]);
  });

  it("says what to do if a directory is in the way", () => {
    const path = join(scratchFolder(), "file.md");
    mkdirSync(path);
    expect(() => writeAtomically(path, bytes("x"), stampFile(path))).toThrow(
      /Expected a file, found a directory/,
    );
    expect(existsSync(path)).toBe(true);
  });
});
