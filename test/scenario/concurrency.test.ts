import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseNotes } from "../../src/notes/parse.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

const notesIn = (cwd: string) => {
  const path = join(cwd, ".agent", "memories.md");
  return parseNotes(readFileSync(path), { today: "2026-01-01" });
};

/** One process that adds many notes through the library, each printed when it is acknowledged. */
function startWriter(cwd: string, name: string, count: number) {
  const library = join(ralphProgram, "../../library/index.js");
  const script = `
    import { writeSync } from "node:fs";
    import { openMemory } from ${JSON.stringify(library)};
    const memory = await openMemory();
    for (let index = 0; index < ${count}; index += 1) {
      const { note } = await memory.notes.add({ content: ${JSON.stringify(name)} + " note " + index });
      writeSync(1, note.id + "\\n");
    }
    await memory.close();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
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
  const ended = new Promise<{ status: number | null; ids: string[]; stderr: string }>((done) => {
    child.on("close", (status) => done({ status, ids: stdout.split("\n").filter(Boolean), stderr }));
  });
  return { child, ended };
}

describe("writers at the same time", () => {
  it("lose no note: eight processes with fifty each", async () => {
    const cwd = scratchRepository();
    const writers = Array.from({ length: 8 }, (_, index) => startWriter(cwd, `writer${index}`, 50));
    const results = await Promise.all(writers.map(({ ended }) => ended));
    expect(results.map(({ status, stderr }) => [status, stderr])).toEqual(results.map(() => [0, ""]));
    const { blocks, problems } = notesIn(cwd);
    expect(problems).toEqual([]);
    expect(new Set(blocks.map(({ note }) => note.id))).toEqual(new Set(results.flatMap(({ ids }) => ids)));
    expect(blocks).toHaveLength(400);
    const { stdout } = await runRalph(["memory", "search", "writer3 note 42", "--all", "--json"], { cwd });
    expect(JSON.parse(stdout)).toHaveLength(400);
  });

  it("lose no note when each is a command of its own, first ones in an empty project", async () => {
    const cwd = scratchRepository();
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        runRalph(["memory", "add", `command ${index}`, "--format", "quiet"], { cwd }),
      ),
    );
    expect(results.map(({ status, stderr }) => [status, stderr])).toEqual(results.map(() => [0, ""]));
    expect(notesIn(cwd).blocks).toHaveLength(24);
  });
});

describe("kill -9", () => {
  it("at any moment loses no acknowledged note and leaves no half-written file", async () => {
    const cwd = scratchRepository();
    const acknowledged: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const { child, ended } = startWriter(cwd, `round${round}`, 1000);
      await new Promise((done) => child.stdout.once("data", done));
      setTimeout(() => child.kill("SIGKILL"), round * 7);
      acknowledged.push(...(await ended).ids);
    }
    const { blocks, problems } = notesIn(cwd);
    expect(problems).toEqual([]);
    const inFile = new Set(blocks.map(({ note }) => note.id));
    expect(acknowledged.filter((id) => !inFile.has(id))).toEqual([]);
    const { stdout, status } = await runRalph(["memory", "list", "--json"], { cwd });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(blocks.length);
    expect((await runRalph(["doctor"], { cwd })).status).toBe(0);
  });

  it("of commands, from the very first one on, loses no id that was printed", async () => {
    const add = (cwd: string) => {
      const args = [ralphProgram, "memory", "add", "a note", "--format", "quiet"];
      return spawn(process.execPath, args, { cwd, env: ralphEnvironment(cwd) });
    };
    const before = performance.now();
    await once(add(scratchRepository()), "close");
    const tookMs = performance.now() - before;
    const cwd = scratchRepository();
    const printed: string[] = [];
    const rounds = 24;
    for (let round = 1; round <= rounds; round += 1) {
      const child = add(cwd);
      let stdout = "";
      child.stdout.on("data", (chunk) => {
        stdout += chunk;
      });
      // Spread over the time that a command takes here and now; the last one may end by itself.
      const timer = setTimeout(() => child.kill("SIGKILL"), (tookMs * round) / rounds);
      if (round === rounds) clearTimeout(timer);
      await once(child, "close");
      clearTimeout(timer);
      printed.push(...stdout.split("\n").filter(Boolean));
    }
    const { status, stdout } = await runRalph(["memory", "list", "--json"], { cwd });
    expect(status).toBe(0);
    const listed = new Set(JSON.parse(stdout).map(({ id }: { id: string }) => id));
    expect(printed.length).toBeGreaterThan(0);
    expect(printed.filter((id) => !listed.has(id))).toEqual([]);
  });
});
