import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type KeptEntry, listEntries } from "../../../src/files/shared/kept-entries.js";
import { findLate, findRemovable } from "../../../src/files/shared/outdated-entries.js";
import { scratchFolder } from "../../support/scratch.js";

const minutes = 60_000;
const entry = (ageMs: number, files: Partial<KeptEntry>): KeptEntry => ({
  folder: "/kept",
  token: `${(Date.now() - ageMs).toString(36)}-1-a`,
  print: "",
  ...files,
});
const edit = { path: "/kept/edit", from: "1-1-1", to: "2-2-2" };
const added = entry(0, { print: "9-9-9" });

it("what a writer has begun stays for some minutes, also one that takes its edit back", () => {
  for (const begun of [{ fresh: "/kept/new" }, { base: "/kept/base" }, { fresh: "/kept/new", edit }]) {
    expect(findRemovable([entry(minutes, begun)], added)).toEqual([]);
    const left = entry(11 * minutes, begun);
    expect(findRemovable([left], added)).toEqual([left]);
  }
});

it("an edit that leads nowhere any more goes at once", () => {
  const step = entry(0, { edit, base: "/kept/base" });
  expect(findRemovable([step], added)).toEqual([step]);
  expect(findRemovable([step], { ...added, print: "2-2-2" })).toEqual([
    { ...step, base: undefined, edit: undefined },
  ]);
});

it("a late write to one of the last kept files is seen, however many edits without one came after it", () => {
  const kept = join(scratchFolder(), "kept");
  writeFileSync(kept, "somebody wrote this");
  const written = entry(minutes, { kept, print: "1-1-1" });
  const steps = Array.from({ length: 40 }, () => entry(0, { edit }));
  expect(findLate([written, ...steps])).toEqual([written]);
});

it("entries of two folders are listed by their time", () => {
  const folders = ["inStore", "beside"].map((name) => join(scratchFolder(), name));
  for (const [index, folder] of folders.entries()) {
    mkdirSync(folder);
    for (const time of [2, 4]) writeFileSync(join(folder, `aaaaaaa${time - index}-1-a.1-1-1.kept`), "");
  }
  const [inStore, beside = ""] = folders;
  const tokens = listEntries({ target: "", inStore, beside }).map(({ token }) => token);
  expect(tokens).toEqual([1, 2, 3, 4].map((time) => `aaaaaaa${time}-1-a`));
});
