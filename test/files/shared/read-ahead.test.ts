import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { readFileSnapshot } from "../../../src/files/read-file.js";
import { readAhead } from "../../../src/files/shared/read-ahead.js";
import { scratchFolder } from "../../support/scratch.js";

const large = "a line of a large file\n".repeat(10_000);
let folder: string;
let path: string;
beforeEach(() => {
  folder = scratchFolder();
  mkdirSync(join(folder, "notes"));
  path = join(folder, "notes", "file.md");
  writeFileSync(path, large);
});

it("gives what the file is", async () => {
  const { take } = readAhead(path);
  expect(await take()).toEqual(readFileSnapshot(path));
});

it("gives nothing of a file that has changed since", async () => {
  const { take } = readAhead(path);
  appendFileSync(path, "and another\n");
  expect(await take()).toBeUndefined();
});

it("gives nothing where there is no file, a small one or a folder", async () => {
  writeFileSync(join(folder, "small.md"), "small\n");
  for (const name of ["none.md", "small.md", "notes"])
    expect(await readAhead(join(folder, name)).take()).toBeUndefined();
});

it("follows no link to a file, and none to its folder", async () => {
  symlinkSync(path, join(folder, "link.md"));
  symlinkSync(join(folder, "notes"), join(folder, "linked"));
  for (const name of ["link.md", "linked/file.md"])
    expect(await readAhead(join(folder, name)).take()).toBeUndefined();
});
