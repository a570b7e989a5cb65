import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { commandTree } from "../../src/cli/framework/command-tree.js";
import { commandGroups } from "../../src/cli/start/load-code.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";
import { projectRoot } from "../support/source-imports.js";

let home: string;
let run: () => Promise<{ stdout: string; stderr: string; status: number | null }>;

beforeEach(() => {
  const cwd = scratchRepository();
  home = scratchFolder();
  run = () => runRalph(["memory", "list"], { cwd, env: { RALPH_HOME: home } });
});

function keptFile(): string {
  const cache = join(home, "cache");
  const [version = ""] = readdirSync(cache);
  const [name = ""] = readdirSync(join(cache, version));
  return join(cache, version, name);
}

it("knows the commands that are named by two words", () => {
  const groups = Object.entries(commandTree).filter(([, node]) => "commands" in node);
  expect([...commandGroups].sort()).toEqual(groups.map(([name]) => name).sort());
});

interface Group {
  names: string[];
  begin: number;
  sourceEnd: number;
  end: number;
}

const headBytes = 8192;

function groups(): Group[] {
  return JSON.parse(readFileSync(keptFile(), "latin1").slice(0, headBytes)) as Group[];
}

function sizeOfCode({ sourceEnd, end }: Group): number {
  return end - sourceEnd;
}

describe("compiled code that is kept between runs", () => {
  it("is one script for a command: the second run compiles it, three more add what they use, and then it is only read", async () => {
    const contents: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      expect((await run()).status).toBe(0);
      contents.push(readFileSync(keptFile(), "latin1"));
    }
    expect(keptFile()).toMatch(/memory-list\.bin$/);
    expect(groups()).toHaveLength(1);
    expect(groups().every((group) => sizeOfCode(group) > 0)).toBe(true);
    expect(contents.map((content) => contents.indexOf(content))).toEqual([0, 1, 2, 3, 4, 4, 4]);
  });

  it("is made anew where a loss of power left a hole in it, or it is anything else", async () => {
    const whole = await run();
    for (let count = 0; count < 2; count += 1) await run();
    const { size } = statSync(keptFile());
    const kept = readFileSync(keptFile());
    const withHole = (start: number) =>
      Buffer.concat([kept.subarray(0, start), Buffer.alloc(512), kept.subarray(start + 512)]);
    const contents = [
      // Behind the list of contents, which ends with a gap.
      ...Array.from({ length: 8 }, (_, place) => withHole(Math.floor((size / 9) * place) + headBytes)),
      kept.subarray(0, 70_000),
      Buffer.alloc(size),
      Buffer.from("null\n"),
      Buffer.from('[["core.cjs",0,99999999]]\n'),
    ];
    for (const content of contents) {
      writeFileSync(keptFile(), content);
      expect(await run()).toEqual(whole);
      // Not with the hole, and not yet compiled again.
      expect(readFileSync(keptFile()).equals(content)).toBe(false);
      expect(groups().map(sizeOfCode)).toEqual([0]);
    }
  });

  it("is split by what a run of the command needs, so that none loads what only others need", async () => {
    const cwd = scratchRepository();
    const prompt = (session: string) =>
      runRalph(["hook", "claude", "UserPromptSubmit"], {
        cwd,
        env: { RALPH_HOME: home },
        input: JSON.stringify({ session_id: session, cwd, prompt: "Why does the retry wait so long?" }),
      });
    // A first prompt is compared with earlier tasks, a further one is not.
    await runRalph(["task", "init", "Make the retry wait"], { cwd, env: { RALPH_HOME: home } });
    for (const session of ["one", "two", "three"]) await prompt(session);
    const [ofFirst] = groups();
    for (let count = 0; count < 3; count += 1) expect((await prompt("three")).status).toBe(0);
    const [ofFurther, onlyOfFirst] = groups();
    expect(ofFurther?.names.length).toBeLessThan(ofFirst?.names.length ?? 0);
    expect([...(ofFurther?.names ?? []), ...(onlyOfFirst?.names ?? [])].sort()).toEqual(
      [...(ofFirst?.names ?? [])].sort(),
    );
    for (const session of ["four", "five"]) expect((await prompt(session)).status).toBe(0);
    expect(groups().slice(0, 2).map(sizeOfCode)).not.toContain(0);
  });

  it("of a run that needed much more than others does not stay without code", async () => {
    const cwd = scratchRepository();
    const env = { RALPH_HOME: home };
    await runRalph(["memory", "add", "the cache must be warm"], { cwd, env });
    const list = (...args: string[]) => runRalph(["memory", "list", ...args], { cwd, env });
    const path = () => join(keptFile(), "..", "memory-list.bin");
    const [none, some] = [await list("--help"), await list()];
    expect([none.status, some.status]).toEqual([0, 0]);
    for (let count = 0; count < 4; count += 1) expect((await list()).status).toBe(0);
    const kept = JSON.parse(readFileSync(path(), "latin1").slice(0, headBytes)) as Group[];
    const used = kept.filter(({ names }) => names.some((name) => name.startsWith("core-")));
    expect(used.map((group) => sizeOfCode(group) > 0)).toEqual([true]);
  });

  it("is done without where an update took away what keeps it", async () => {
    const cwd = scratchRepository();
    const installed = scratchFolder();
    cpSync(dirname(ralphProgram), join(installed, "dist", "cli"), { recursive: true });
    symlinkSync(join(projectRoot, "node_modules"), join(installed, "node_modules"));
    const [keeping = ""] = readdirSync(join(installed, "dist", "cli")).filter((name) =>
      name.startsWith("keeping-"),
    );
    rmSync(join(installed, "dist", "cli", keeping));
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(installed, "dist", "cli", "main.cjs"), "memory", "list"],
      { cwd, env: { ...ralphEnvironment(cwd), RALPH_HOME: home }, encoding: "utf8" },
    );
    expect([status, stderr]).toEqual([0, expect.stringMatching(/^No memories yet[^\n]*\n$/)]);
  });

  it("stays in few groups, however many runs need something else", async () => {
    const cwd = scratchRepository();
    const env = { RALPH_HOME: home };
    const path = () => join(keptFile(), "..", "memory-list.bin");
    for (const args of [[], ["--help"], ["--format", "json"], ["--type", "fix"], ["--last", "1"]])
      for (let count = 0; count < 3; count += 1) await runRalph(["memory", "list", ...args], { cwd, env });
    await runRalph(["memory", "add", "the cache must be warm"], { cwd, env });
    for (let count = 0; count < 4; count += 1) await runRalph(["memory", "list"], { cwd, env });
    const kept = JSON.parse(readFileSync(path(), "latin1").slice(0, headBytes)) as Group[];
    expect(kept.length).toBeLessThanOrEqual(5);
    expect(new Set(kept.flatMap(({ names }) => names)).size).toBe(kept.flatMap(({ names }) => names).length);
  });

  it("leaves alone what is not ours", async () => {
    mkdirSync(join(home, "cache", "0.0.1-v20.0.0-x64"), { recursive: true });
    writeFileSync(join(home, "cache", "data.csv"), "precious");
    await run();
    const names = readdirSync(join(home, "cache"));
    expect(names).toContain("data.csv");
    expect(names).not.toContain("0.0.1-v20.0.0-x64");
  });

  it("is not read from a pipe, which might never end", async () => {
    const whole = await run();
    const path = keptFile();
    rmSync(path);
    execFileSync("mkfifo", [path]);
    expect(await run()).toEqual(whole);
  });

  it("has no words of a question in its name", async () => {
    const cwd = scratchRepository();
    for (const words of [
      ["recall", "password"],
      ["search", "password"],
      ["memory", "search", "password"],
    ])
      await runRalph(words, { cwd, env: { RALPH_HOME: home } });
    expect(readdirSync(join(keptFile(), "..")).sort()).toEqual([
      "memory-search.bin",
      "recall.bin",
      "search.bin",
    ]);
  });

  it("is done without where it cannot be written", async () => {
    const whole = await run();
    const path = keptFile();
    rmSync(path);
    mkdirSync(path);
    expect(await run()).toEqual(whole);
    expect(readdirSync(join(path, ".."))).toHaveLength(1);
  });
});
