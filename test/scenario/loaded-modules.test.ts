import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

let cwd: string;

beforeEach(async () => {
  cwd = scratchRepository();
  await runRalph(["memory", "add", "the cache must be warm before the first request"], { cwd });
  writeFileSync(
    join(cwd, "list-modules.cjs"),
    `const before = new Set(process.moduleLoadList);
     process.on("exit", () => require("node:fs").writeFileSync("modules.txt",
       process.moduleLoadList.filter((name) => name.startsWith("NativeModule ") && !before.has(name)).join("\\n")));`,
  );
});

function loadedBy(output: "pipe" | "ignore", ...args: string[]): string[] {
  const { status } = spawnSync(process.execPath, ["-r", "./list-modules.cjs", ralphProgram, ...args], {
    cwd,
    env: ralphEnvironment(cwd),
    stdio: ["ignore", output, output],
  });
  expect(status).toBe(0);
  const names = readFileSync(join(cwd, "modules.txt"), "utf8").split("\n");
  // From some version on, Node's own SQLite is used.
  return names.filter((name) => name !== "NativeModule sqlite");
}

describe("of Node, a command loads nothing but what runs its own code", () => {
  it.each(["pipe", "ignore"] as const)(
    "whether somebody reads what it writes or nobody does: %s",
    (output) => {
      for (const args of [
        ["memory", "search", "cache"],
        ["recall", "warm the cache"],
      ])
        expect(loadedBy(output, ...args)).toEqual(["NativeModule vm"]);
    },
  );
});
