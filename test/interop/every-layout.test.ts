import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeNewFile } from "../../src/files/write-new-file.js";
import { exportLayout } from "../../src/interop/export-layout.js";
import { exportedLayouts, loadLayout, portLayouts } from "../../src/interop/layout.js";
import { openScratchMemory } from "../support/open-scratch-memory.js";

/** A database, which has no files that could be cut or linked one by one. */
const withTestsOfItsOwn = ["claude-mem"];

describe("every layout", () => {
  it("is held to the contract", () => {
    const folder = import.meta.dirname;
    const tests = readdirSync(folder)
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => readFileSync(join(folder, name), "utf8"))
      .filter((text) => text.includes("describeLayout("))
      .join("\n");
    expect(
      portLayouts.filter((name) => !tests.includes(`layout: "${name}"`) && !withTestsOfItsOwn.includes(name)),
    ).toEqual([]);
  });

  it("is written nowhere into git's own folder, also through a link", async () => {
    const memory = await openScratchMemory();
    const { root } = memory.project;
    symlinkSync(".git", join(root, "linked"));
    for (const name of exportedLayouts)
      for (const folder of [".git", ".git/hooks", "linked"])
        await expect(
          exportLayout(memory, await loadLayout(name), join(root, folder), { now: new Date(), force: true }),
        ).rejects.toThrow(/belongs to git/);
    const path = join(root, ".git/config");
    await expect(writeNewFile(path, { force: true }, async () => undefined)).rejects.toThrow(
      /belongs to git/,
    );
  });

  it("has the name under which it is loaded, and an export if help says so", async () => {
    for (const name of portLayouts) {
      const layout = await loadLayout(name);
      expect([layout.name, layout.write !== undefined]).toEqual([name, exportedLayouts.includes(name)]);
    }
  });
});
