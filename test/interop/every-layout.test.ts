import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportedLayouts, portLayouts } from "../../src/interop/layout-names.js";
import { loadLayout } from "../../src/interop/load-layout.js";

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

  it("has the name under which it is loaded, and an export if help says so", async () => {
    for (const name of portLayouts) {
      const layout = await loadLayout(name);
      expect([layout.name, layout.write !== undefined]).toEqual([name, exportedLayouts.includes(name)]);
    }
  });
});
