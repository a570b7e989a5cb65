import { posix } from "node:path";
import { array, assert, constantFrom, property } from "fast-check";
import { expect, it } from "vitest";
import { isInside } from "../../src/files/path-inside.js";

it("finds a path inside of a folder as Node's own comparison does, whatever stands in it", () => {
  const path = array(constantFrom("/", "a", "b", ".", "..", "/a", "/.a", "a./"), { maxLength: 6 }).map(
    (parts) => `/${parts.join("")}`,
  );
  const compared = (folder: string, other: string) => {
    const way = posix.relative(folder, other);
    return way === "" || (way !== ".." && !way.startsWith("../"));
  };
  assert(
    property(path, path, (folder, other) => isInside(folder, other, posix) === compared(folder, other)),
    { numRuns: 2000 },
  );
});

it("takes a folder whose name begins like another one for what it is", () => {
  expect([isInside("/work/a", "/work/ab"), isInside("/work/a", "/work/a/b")]).toEqual([false, true]);
});
