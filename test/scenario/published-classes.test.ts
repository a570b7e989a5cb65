import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MemoryPromotion, SemanticMemory } from "../../src/index.js";
import { ralphEnvironment, ralphProgram } from "../support/run-ralph.js";
import { scratchFolder } from "../support/scratch.js";

/** A process that runs a script with the built library and never closes anything. */
function start(cwd: string, script: string) {
  const library = join(ralphProgram, "../../library/index.js");
  const source = `
    import { writeSync } from "node:fs";
    import { MemoryPromotion, SemanticMemory } from ${JSON.stringify(library)};
    const say = (text) => writeSync(1, text + "\\n");
    ${script}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
    cwd,
    env: ralphEnvironment(cwd),
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<{ status: number | null; lines: string[]; stderr: string }>((done) => {
    child.on("close", (status) => done({ status, lines: stdout.split("\n").filter(Boolean), stderr }));
  });
  return { child, ended };
}

/** A script that runs pipelines, one loop after the other, and says each number when it is done. */
const pipelines = (round: number) => `
  const promotion = new MemoryPromotion("knowledge");
  for (let number = 0; ; number += 1) {
    const name = "r${round}n" + number;
    await promotion.processPipeline({
      loopId: name,
      objective: "Implement the " + name + " feature",
      status: "completed",
      iterations: [1, 2, 3].map(() => ({
        status: "completed",
        analysis: { progressMade: true },
        learnings: ["zeta", "omega", "gamma", "delta"].map((word) => word + name + " " + word + name + "q"),
      })),
    });
    say(name);
  }`;
const learningsOfPipeline = 4;

describe("processes that store learnings in one folder", () => {
  it("at the same time lose none: four with fifty each", async () => {
    const cwd = scratchFolder();
    const writers = Array.from({ length: 4 }, (_, writer) =>
      start(
        cwd,
        `const memory = new SemanticMemory("knowledge");
         for (let index = 0; index < 50; index += 1)
           say((await memory.store("strategy", "feature", { description: "writer ${writer} says " + index })).id);`,
      ),
    );
    const results = await Promise.all(writers.map(({ ended }) => ended));
    expect(results.map(({ status, stderr }) => [status, stderr])).toEqual(results.map(() => [0, ""]));
    const memory = new SemanticMemory(join(cwd, "knowledge"));
    const kept = (await memory.load()).learnings.map(({ id }) => id);
    expect(kept).toHaveLength(200);
    expect(new Set(kept)).toEqual(new Set(results.flatMap(({ lines }) => lines)));
    expect(await memory.verify()).toEqual({ valid: true });
    await memory.close();
  });

  it("and are killed during a pipeline leave all of it or none", async () => {
    const cwd = scratchFolder();
    const folder = join(cwd, "knowledge");
    const done: string[] = [];
    const rounds = 8;
    for (let round = 0; round < rounds; round += 1) {
      const { child, ended } = start(cwd, pipelines(round));
      await once(child.stdout, "data");
      const before = performance.now();
      await once(child.stdout, "data");
      // Spread over the time that one pipeline takes here and now.
      const tookMs = performance.now() - before;
      setTimeout(() => child.kill("SIGKILL"), (tookMs * round) / rounds);
      done.push(...(await ended).lines);
      const memory = new SemanticMemory(folder);
      const counts = new Map<string, number>();
      const strategies = await memory.query({ type: "strategy", includesSuperseded: true });
      for (const loop of strategies.flatMap(({ sourceLoops }) => sourceLoops))
        counts.set(loop, (counts.get(loop) ?? 0) + 1);
      expect([...counts].filter(([, count]) => count !== learningsOfPipeline)).toEqual([]);
      expect(done.filter((loop) => !counts.has(loop))).toEqual([]);
      expect(await memory.verify()).toEqual({ valid: true });
      const promotion = new MemoryPromotion(folder);
      expect(await promotion.getStagingStats()).toEqual({ total: 0, pending: 0, validated: 0, rejected: 0 });
      await promotion.close();
      await memory.close();
    }
    expect(done.length).toBeGreaterThanOrEqual(2 * rounds);
  });

  it("and take over its files together take them over once", async () => {
    const cwd = scratchFolder();
    const source = new SemanticMemory(join(cwd, "source"));
    for (let index = 0; index < 50; index += 1)
      await source.store("strategy", "feature", { description: `the thing number ${index}` });
    mkdirSync(join(cwd, "knowledge"));
    writeFileSync(join(cwd, "knowledge/ralph-learnings.json"), JSON.stringify(await source.load()));
    const readers = Array.from({ length: 4 }, () =>
      start(cwd, `say((await new SemanticMemory("knowledge").load()).checksum);`),
    );
    const { checksum } = await source.load();
    for (const { ended } of readers)
      expect(await ended).toEqual({ status: 0, lines: [checksum], stderr: "" });
    await source.close();
  });
});
