import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { readFileSnapshot } from "../../../src/files/read-file.js";
import { type ReadAhead, readingAhead } from "../../../src/files/shared/read-ahead.js";
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

const take = ({ take }: ReadAhead) => take();

it("gives what the file is", async () => {
  await readingAhead(path, async ({ take }) => expect(await take()).toEqual(readFileSnapshot(path)));
});

it("gives nothing of a file that has changed since", async () => {
  const taken = await readingAhead(path, async ({ take }) => {
    appendFileSync(path, "and another\n");
    return take();
  });
  expect(taken).toBeUndefined();
});

it("gives nothing where there is no file, a small one or a folder", async () => {
  writeFileSync(join(folder, "small.md"), "small\n");
  for (const name of ["none.md", "small.md", "notes"])
    expect(await readingAhead(join(folder, name), take)).toBeUndefined();
});

it("follows no link to a file, and none to its folder", async () => {
  symlinkSync(path, join(folder, "link.md"));
  symlinkSync(join(folder, "notes"), join(folder, "linked"));
  for (const name of ["link.md", "linked/file.md"])
    expect(await readingAhead(join(folder, name), take)).toBeUndefined();
});

it("gives each of several who read at once bytes of their own, and those that come later the right ones", async () => {
  const textOf = async (name: string, other?: string): Promise<string[]> =>
    readingAhead(join(folder, "notes", name), async (ahead) => {
      const inner = other === undefined ? [] : await textOf(other);
      return [String((await ahead.take())?.bytes), ...inner];
    });
  const longer = `longer ${large}${large}`;
  const shorter = `shorter ${large.slice(0, 100_000)}`;
  writeFileSync(join(folder, "notes", "longer.md"), longer);
  writeFileSync(join(folder, "notes", "shorter.md"), shorter);
  for (let turn = 0; turn < 3; turn += 1) {
    const texts = [textOf("file.md", "shorter.md"), textOf("longer.md", "file.md"), textOf("shorter.md")];
    expect(await Promise.all(texts)).toEqual([[large, shorter], [longer, large], [shorter]]);
    expect(await textOf("shorter.md")).toEqual([shorter]);
  }
});

it("ends with what its work throws, whether or not the file was taken", async () => {
  const failing = readingAhead(path, async () => {
    throw new Error("no use");
  });
  await expect(failing).rejects.toThrow("no use");
});
