import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Command } from "../../src/cli/framework/command.js";
import { commandTree } from "../../src/cli/framework/command-table.js";
import { openMemory } from "../../src/memory/open-memory.js";
import { type RalphResult, ralphLibrary, runNode, runRalph } from "../support/run-ralph.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";
import { seed, seededRandom } from "../support/seeded-random.js";

const megabyte = 1024 * 1024;

function expectNoBug({ status, stderr }: RalphResult, what: string): void {
  expect(stderr, what).not.toMatch(/bug in Ralph|\n\s+at /);
  expect([0, 1, 2], what).toContain(status);
  if (status !== 0) expect(stderr.trim() === "", what).toBe(false);
}

describe("what is large", () => {
  it("a logged line of 100 MB is clipped as any other", async () => {
    const cwd = scratchRepository();
    await runRalph(["task", "init", "x"], { cwd });
    await runRalph(["task", "start", "task-001"], { cwd });
    const output = "a word and an error at line 5\\n".repeat((100 * megabyte) / 31);
    const input = `{"tool":"Bash","params":{"command":"x"},"success":false,"output":"${output}"}\n`;
    expect(await runRalph(["task", "log", "task-001"], { cwd, input })).toMatchObject({
      stdout: "Logged 1\n",
    });
    const { stdout } = await runRalph(["history", "task-001", "--attempt", "1", "--json"], { cwd });
    const [action] = JSON.parse(stdout).actions;
    expect(action.output.length).toBeLessThan(70_000);
    expect(action.output).toMatch(/characters left out/);
  });

  it("a line of more than 256 MB is refused with its number", async () => {
    const cwd = scratchRepository();
    await runRalph(["task", "init", "x"], { cwd });
    await runRalph(["task", "start", "task-001"], { cwd });
    const input = Buffer.alloc(257 * megabyte, "x");
    const { status, stderr } = await runRalph(["task", "log", "task-001"], { cwd, input });
    expect([status, stderr]).toEqual([2, "Error: Line 1 is longer than 256 MB (shorten it)\n"]);
  });

  it("a note of 100 MB is found by its beginning", async () => {
    const cwd = scratchRepository();
    mkdirSync(join(cwd, ".agent"));
    const notes = ["kettle boiler valve ".repeat((100 * megabyte) / 20), "gasket"].map(
      (content, index) =>
        `### mem-${1_700_000_000 + index}-abcd\n> ${content}\n<!-- tags: t | created: 2025-01-20 -->\n`,
    );
    writeFileSync(join(cwd, ".agent/memories.md"), `# Memories\n\n## Fixes\n\n${notes.join("\n")}`);
    const found = async (word: string) =>
      (await runRalph(["memory", "search", word, "--format", "quiet"], { cwd })).stdout;
    expect(await found("kettle")).toBe("mem-1700000000-abcd\n");
    // Beyond what is read of a file.
    expect(await found("gasket")).toBe("");
  });

  it("40,000 notes are indexed in the end, however often the command is killed", async () => {
    const cwd = scratchRepository();
    mkdirSync(join(cwd, ".agent"));
    const count = 40_000;
    const notes = Array.from(
      { length: count },
      (_, index) =>
        `### mem-${1_700_000_000 + index}-abcd\n> kettle ${index}\n<!-- tags: t | created: 2025-01-20 -->\n`,
    );
    writeFileSync(join(cwd, ".agent/memories.md"), `# Memories\n\n## Fixes\n\n${notes.join("\n")}`);
    const environment = { RALPH_HOME: join(cwd, ".home") };
    const killedInItsSecondPart = `
      import { openMemory } from ${JSON.stringify(ralphLibrary)};
      const memory = await openMemory({
        root: ${JSON.stringify(cwd)},
        environment: ${JSON.stringify(environment)},
        onNotice: ({ kind, done }) => kind === "indexing" && done === 6000 && process.kill(process.pid, "SIGKILL"),
      });
      await memory.notes.list();`;
    for (let round = 0; round < 6; round += 1)
      expect(await runNode(killedInItsSecondPart, cwd)).toMatchObject({ status: null });
    let left = 0;
    const memory = await openMemory({
      root: cwd,
      environment,
      onNotice: (notice) => {
        if (notice.kind === "indexing") left = Math.max(left, notice.total);
      },
    });
    expect(await memory.notes.list()).toHaveLength(count);
    expect(left).toBe(count - 6 * 5000);
    await memory.close();
  });
});

const places = [
  ".agent/memories.md",
  ".agent/CONTINUITY.md",
  ".agent/skills/x/SKILL.md",
  "ralph.yml",
  ".git/config",
  ".git",
  ".home/memories.md",
  ".home/ralph.yml",
  "vectors.txt",
  "given",
];
const readings = [
  ["memory", "search", "x"],
  ["memory", "add", "x"],
  ["memory", "list", "--global"],
  ["doctor"],
  ["recall", "x"],
  ["continuity", "update"],
  ["continuity", "show"],
  ["skill", "list"],
  ["skill", "add", "given"],
  ["status"],
  ["index", "embed"],
  ["learnings", "import", "given"],
  ["import", "episodic", "given"],
  ["run", "--file", "given"],
];
/** A command that reads a place and says so, which shows that nothing else ended it before. */
const readers = new Map([
  ["vectors.txt", "index embed"],
  ["given", "skill add given"],
]);

describe("a pipe, a socket or a device in the place of a file", () => {
  it.each(["mkfifo", "socket", "/dev/zero"])("is never read: %s", async (kind) => {
    const cwd = scratchRepository();
    for (const place of places) {
      const path = join(cwd, place);
      rmSync(path, { recursive: true, force: true });
      mkdirSync(join(path, ".."), { recursive: true });
      if (kind === "mkfifo") execFileSync("mkfifo", [path]);
      else if (kind === "socket")
        execFileSync("python3", [
          "-c",
          "import socket,sys;socket.socket(socket.AF_UNIX).bind(sys.argv[1])",
          path,
        ]);
      else execFileSync("ln", ["-s", kind, path]);
      if (place === "vectors.txt")
        writeFileSync(join(cwd, "ralph.yml"), "embedder: { use: static, path: vectors.txt }\n");
      const ended = readings.map(async (args) => {
        const result = await runRalph(args, { cwd, env: { RALPH_TRUST: "1" } });
        const command = args.join(" ");
        expectNoBug(result, `${kind} as ${place}: ${command}`);
        if (readers.get(place) === command) expect(result.stderr).toContain(place);
      });
      await Promise.all(ended);
      rmSync(path, { force: true });
      if (place === "vectors.txt") rmSync(join(cwd, "ralph.yml"));
      if (place.startsWith(".git")) {
        rmSync(join(cwd, ".git"), { recursive: true, force: true });
        execFileSync("git", ["init", "--quiet"], { cwd });
      }
    }
  });
});

async function listCommands(
  tree: object,
  path: string[] = [],
): Promise<{ path: string[]; command: Command }[]> {
  const found: { path: string[]; command: Command }[] = [];
  for (const [name, entry] of Object.entries(tree)) {
    if (typeof entry === "function") found.push({ path: [...path, name], command: await entry() });
    else found.push(...(await listCommands(entry.commands, [...path, name])));
  }
  return found;
}

const wrong = [
  ...[
    "",
    " ",
    "-",
    "x".repeat(300),
    "x".repeat(5000),
    "a/".repeat(2500),
    "x".repeat(100_000),
    ",".repeat(5000),
  ],
  ...["../../etc/passwd", "/dev/zero", "/dev/full", "pipe", "folder", "loop", "loop/x", "empty", "empty/x"],
  ...["binary", "broken.json", "deep.json", "-1", "1e309", "NaN", "99999999999999", "2026-02-30", "999999w"],
  ...[
    "task-001",
    "task-999",
    "mem-1",
    "learn-x",
    "constructor",
    "__proto__",
    "\ud800",
    "a,b,,c",
    "a|b",
    "<!--",
  ],
  ...["\n\n", "{}", "null", "%s%n", "$(id)", "http://127.0.0.1:1/x", "file:///etc/passwd", "\u001b[2J", "."],
  Array.from({ length: 15_000 }, (_, index) => index).join(","),
];
const wrongInputs = [
  "",
  "{",
  "null\n",
  "[]\n",
  '{"tool":1}\n',
  `${"[".repeat(100_000)}\n`,
  '{"quality":1e999}\n',
];

describe(`500 wrong inputs (RALPH_SEED=${seed})`, () => {
  it("end with one of the known statuses and with words, never with a bug", async () => {
    const cwd = scratchRepository();
    await runRalph(["memory", "add", "kettle"], { cwd });
    await runRalph(["task", "init", "kettle"], { cwd });
    await runRalph(["task", "start", "task-001"], { cwd });
    mkdirSync(join(cwd, "folder"));
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    execFileSync("ln", ["-s", "loop", join(cwd, "loop")]);
    writeFileSync(join(cwd, "empty"), "");
    writeFileSync(join(cwd, "binary"), Buffer.from([0, 255, 254, 1, 128]));
    writeFileSync(join(cwd, "broken.json"), '{"a":');
    writeFileSync(join(cwd, "deep.json"), "[".repeat(200_000));
    // "ralph setup --user" writes there.
    const home = scratchFolder();
    const { next: random, pick } = seededRandom();
    const commands = (await listCommands(commandTree)).filter(
      // They go on until somebody stops them.
      ({ path }) => !["run", "demo", "resume", "mcp", "ui"].includes(path[0] ?? ""),
    );
    const tryOne = async () => {
      const { path, command } = pick(commands);
      const options = Object.entries(command.options).filter(([name]) => name !== "watch");
      const given = Array.from({ length: Math.floor(random() * 3) }, () => pick(options)).flatMap((option) =>
        option === undefined
          ? []
          : option[1].kind === "flag"
            ? [`--${option[0]}`]
            : [`--${option[0]}`, pick(wrong)],
      );
      const words = command.arguments.map(() => pick(wrong)).slice(0, random() < 0.8 ? undefined : 0);
      const args = [...path, ...given, "--", ...words];
      const result = await runRalph(args, { cwd, input: pick(wrongInputs), env: { HOME: home } });
      expectNoBug(result, args.map((word) => JSON.stringify(word.slice(0, 80))).join(" "));
    };
    for (let round = 0; round < 500; round += 4) await Promise.all([tryOne(), tryOne(), tryOne(), tryOne()]);
  });
});
