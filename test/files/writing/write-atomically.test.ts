import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { absentStamp, stampFile } from "../../../src/files/file-stamp.js";
import { type WriteResult, writeAtomically } from "../../../src/files/writing/write-atomically.js";
import { scratchFolder } from "../../support/scratch.js";

const bytes = (text: string) => [Buffer.from(text)];

function commit(result: WriteResult): void {
  if (result.kind !== "written") throw new Error("It was not written");
  result.commit();
}

describe("writing atomically", () => {
  it("creates the file and its folder, and leaves nothing else behind", () => {
    const path = join(scratchFolder(), "deep", "file.md");
    const result = writeAtomically(path, [Buffer.from("a"), Buffer.from(""), Buffer.from("b")], absentStamp);
    expect(result).toMatchObject({ kind: "written", stamp: stampFile(path) });
    expect(readFileSync(path, "utf8")).toBe("ab");
    expect(readdirSync(join(path, ".."))).toEqual(["file.md"]);
  });

  it("changes nothing if somebody changed the file meanwhile", () => {
    const path = join(scratchFolder(), "file.md");
    writeFileSync(path, "theirs");
    expect(writeAtomically(path, bytes("mine"), absentStamp)).toEqual({ kind: "changed-meanwhile" });
    expect(readFileSync(path, "utf8")).toBe("theirs");
    expect(readdirSync(join(path, ".."))).toEqual(["file.md"]);
  });

  it("detects a late write by somebody who had the file open, and restores it", () => {
    const path = join(scratchFolder(), "file.md");
    writeFileSync(path, "theirs");
    const open = openSync(path, "a");
    const result = writeAtomically(path, bytes("mine"), stampFile(path));
    if (result.kind !== "written") throw new Error("It was not written");
    expect(result.hasLostWrite()).toBe(false);
    writeSync(open, " and more");
    closeSync(open);
    expect(result.hasLostWrite()).toBe(true);
    result.restore();
    expect(readFileSync(path, "utf8")).toBe("theirs and more");
    expect(readdirSync(join(path, ".."))).toEqual(["file.md"]);
  });

  it("keeps both when somebody wrote to the file as it was and somebody else to the new one", () => {
    const path = join(scratchFolder(), "file.md");
    writeFileSync(path, "theirs");
    const open = openSync(path, "a");
    const result = writeAtomically(path, bytes("mine"), stampFile(path));
    if (result.kind !== "written") throw new Error("It was not written");
    writeSync(open, " and more");
    closeSync(open);
    writeFileSync(path, "another's");
    expect(() => result.restore()).toThrow(/was saved twice/);
    expect(readFileSync(path, "utf8")).toBe("another's");
    const [, kept = ""] = readdirSync(join(path, ".."));
    expect(kept).toMatch(/^file\.md\.\d+\.kept$/);
    expect(readFileSync(join(path, "..", kept), "utf8")).toBe("theirs and more");
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
    expect(writeAtomically(link, bytes("first"), absentStamp).kind).toBe("written");
    commit(writeAtomically(link, bytes("second"), stampFile(link)));
    expect(readFileSync(join(folder, "target.md"), "utf8")).toBe("second");
    expect(readdirSync(folder).sort()).toEqual(["link.md", "target.md"]);
  });

  it("can be undone: the file is the same inode as before", () => {
    const path = join(scratchFolder(), "file.md");
    writeFileSync(path, "before");
    const inode = statSync(path).ino;
    const result = writeAtomically(path, bytes("after"), stampFile(path));
    if (result.kind === "written") result.restore();
    expect([readFileSync(path, "utf8"), statSync(path).ino]).toEqual(["before", inode]);
    expect(readdirSync(join(path, ".."))).toEqual(["file.md"]);
  });

  it("is not undone if somebody else has written since", () => {
    const path = join(scratchFolder(), "file.md");
    writeFileSync(path, "before");
    const result = writeAtomically(path, bytes("after"), stampFile(path));
    writeFileSync(path, "theirs");
    if (result.kind === "written") result.restore();
    expect(readFileSync(path, "utf8")).toBe("theirs");
    expect(readdirSync(join(path, ".."))).toEqual(["file.md"]);
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
