import { expect, it } from "vitest";
import type { KeptEntry } from "../../../src/files/shared/kept-entries.js";
import { findRemovable } from "../../../src/files/shared/outdated-entries.js";

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
