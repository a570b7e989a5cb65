import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { freeName } from "../../../../src/store/sqlite/repair/kept-databases.js";
import { openScratchMemory } from "../../../support/open-scratch-memory.js";
import { scratchFolder } from "../../../support/scratch.js";

it("a name with a link, also to nowhere, or whose log has one, is not free", () => {
  const folder = scratchFolder();
  const path = join(folder, "memory.db");
  expect(freeName(path, "damaged")).toBe(`${path}.damaged-1`);
  symlinkSync("nowhere", `${path}.damaged-1`);
  symlinkSync("elsewhere", `${path}.damaged-2-wal`);
  writeFileSync(`${path}.damaged-3`, "");
  expect(freeName(path, "damaged")).toBe(`${path}.damaged-4`);
});

it.each([
  ["a name", "memory.db.damaged-1", false],
  ["the name of a log", "memory.db.damaged-1-wal", true],
])(
  "a repair writes what was damaged through no link that a repository brought: %s",
  async (_, name, isThere) => {
    const memory = await openScratchMemory();
    const { root } = memory.project;
    await memory.notes.add({ content: "a note" });
    await memory.close();
    const outside = join(scratchFolder(), "outside");
    if (isThere) writeFileSync(outside, "precious");
    const database = join(root, ".ralph/memory.db");
    writeFileSync(database, "rubbish".repeat(1000));
    writeFileSync(`${database}-wal`, "payload".repeat(100));
    symlinkSync(outside, join(root, ".ralph", name));
    const reopened = await openScratchMemory({ root });
    const { checks } = await reopened.checkHealth({ repair: true });
    expect(checks).toContainEqual(
      expect.objectContaining({
        status: "failed",
        detail: expect.stringContaining(`.ralph/${name} is not a`),
      }),
    );
    expect(existsSync(outside)).toBe(isThere);
    if (isThere) expect(readFileSync(outside, "utf8")).toBe("precious");
  },
);
