import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeLines } from "../../src/notes/merge-lines.js";
import { scratchFolder } from "../support/scratch.js";

function merge(base: string[], ours: string[], theirs: string[]): string {
  return mergeLines(base, ours, theirs)
    .map(({ take, ours: o, theirs: t }) => {
      const [our, their] = [ours.slice(...o), theirs.slice(...t)].map((lines) =>
        lines.map((line) => `${line}\n`).join(""),
      );
      if (take !== "conflict") return take === "theirs" ? their : our;
      return `<<<<<<< ours\n${our}=======\n${their}>>>>>>> theirs\n`;
    })
    .join("");
}

/** Lines that are changed, removed and added in two ways. */
const versions = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 0, 1, 2, 3), fc.constantFrom(0, 0, 0, 1, 2, 3)), { maxLength: 12 })
  .map((steps) => {
    const version = (side: 0 | 1) =>
      steps.flatMap((step, index) => {
        const line = `line ${index}`;
        const own = `${side} at ${index}`;
        return [[line], [], [own], [line, own]][step[side]] ?? [];
      });
    return { base: steps.map((_, index) => `line ${index}`), ours: version(0), theirs: version(1) };
  });

describe("merging lines", () => {
  it("has conflicts where git merge-file has them, and else gives the same", () => {
    const folder = scratchFolder();
    fc.assert(
      fc.property(versions, ({ base, ours, theirs }) => {
        const paths = Object.entries({ ours, base, theirs }).map(([name, lines]) => {
          const path = join(folder, name);
          writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
          return path;
        });
        const { stdout } = spawnSync(
          "git",
          ["merge-file", "-p", "-L", "ours", "-L", "base", "-L", "theirs", ...paths],
          { encoding: "utf8" },
        );
        const merged = merge(base, ours, theirs);
        // Git joins conflicts that are near each other.
        expect(merged.includes("<<<<<<<")).toBe(stdout.includes("<<<<<<<"));
        if (!merged.includes("<<<<<<<")) expect(merged).toBe(stdout);
      }),
      { numRuns: 150 },
    );
  });
});
