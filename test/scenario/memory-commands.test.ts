import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type RunOptions, runRalph } from "../support/run-ralph.js";
import { noteBlocks, sampleNotes } from "../support/sample-notes.js";
import { scratchRepository } from "../support/scratch.js";

let cwd: string;
const ralph = (args: string[], options: Partial<RunOptions> = {}) => runRalph(args, { cwd, ...options });
const out = async (...args: string[]) => (await ralph(args)).stdout;
const file = () => join(cwd, ".agent", "memories.md");
const json = async (args: string[]) => JSON.parse(await out(...args, "--format", "json"));

beforeEach(() => {
  cwd = scratchRepository();
});

function useSample(): void {
  mkdirSync(join(cwd, ".agent"));
  writeFileSync(file(), sampleNotes);
}

describe("ralph memory", () => {
  it("add prints the id in every format and creates the file from the template", async () => {
    const table = await ralph([
      "memory",
      "add",
      "uses barrel exports",
      "--type",
      "pattern",
      "--tags",
      "imports,structure",
    ]);
    expect(table).toMatchObject({ status: 0, stderr: "" });
    expect(table.stdout).toMatch(/^📝 Memory stored: mem-\d{10}-[0-9a-f]{4}\n$/);
    const quiet = await ralph(["memory", "add", "chose Zod", "-t", "decision", "--format", "quiet"]);
    expect(quiet.stdout).toMatch(/^mem-\d{10}-[0-9a-f]{4}\n$/);
    const [first] = await json(["memory", "list", "--type", "pattern"]);
    expect(first).toEqual({
      id: expect.any(String),
      memory_type: "pattern",
      content: "uses barrel exports",
      tags: ["imports", "structure"],
      created: new Date().toISOString().slice(0, 10),
    });
    expect(readFileSync(file(), "utf8")).toMatch(
      /^# Memories\n\n## Patterns\n\n### mem-.*\n> uses barrel exports\n/,
    );
  });

  it("add of the same note again returns the first one's id", async () => {
    const first = await json(["memory", "add", "same words"]);
    const again = await json(["memory", "add", "Same  words"]);
    expect(again).toEqual({ ...first, existing: true });
    expect(await out("memory", "add", "same words")).toBe(`📝 Memory is already stored: ${first.id}\n`);
  });

  it("add reads standard input, and text with a dash behind --", async () => {
    const dashed = await ralph(["memory", "add", "--json", "--", "--force is dangerous"]);
    expect(JSON.parse(dashed.stdout).content).toBe("--force is dangerous");
    const { stdout } = await ralph(["memory", "add", "-", "--json"], { input: "line one\n\nline three\n" });
    expect(JSON.parse(stdout).content).toBe("line one\n\nline three");
  });

  it("add tells which secrets it replaced", async () => {
    const { stderr } = await ralph(["memory", "add", `key AKIA${"ABCDEFGH23456789"}`]);
    expect(stderr).toContain("aws-key");
    expect(readFileSync(file(), "utf8")).toContain("> key [redacted:aws-key]\n");
  });

  it("search answers a question, prints [] for nothing, and shows ten unless told otherwise", async () => {
    useSample();
    const found = await json([
      "memory",
      "search",
      "how do we start the database when the connection is refused",
    ]);
    expect(found[0].id).toBe("mem-1737390000-g7h8");
    expect(await json(["memory", "search", "quantum"])).toEqual([]);
    const numbered = Array.from({ length: 12 }, (_, index) => `numbered note ${index}`);
    appendFileSync(file(), `\n## Context\n\n${noteBlocks(numbered)}`);
    expect(await json(["memory", "search", "numbered"])).toHaveLength(10);
    expect(await json(["memory", "search", "numbered", "--all"])).toHaveLength(12);
    expect(await json(["memory", "search", "numbered", "--limit", "3"])).toHaveLength(3);
    expect(
      (await json(["memory", "search", "--type", "fix", "--tags", "docker"])).map(
        ({ id }: { id: string }) => id,
      ),
    ).toEqual(["mem-1737390000-g7h8"]);
  });

  it("list shows the newest N, in every format", async () => {
    useSample();
    const { id } = await json(["memory", "add", "the newest"]);
    expect((await json(["memory", "list", "--last", "2"])).map((note: { id: string }) => note.id)).toEqual([
      id,
      "mem-1737400000-i9j0",
    ]);
    const table = await out("memory", "list");
    expect(table.split("\n")[0]).toMatch(/^ID +TYPE +CREATED +TAGS +CONTENT$/);
    expect(table).toContain("⚖️ decision");
    expect(await out("memory", "list", "--format", "markdown", "--type", "decision")).toContain(
      "### mem-1737380000-e5f6\n> Chose JSONL",
    );
    expect(await out("memory", "list", "--type", "fix", "--format", "quiet")).toBe("mem-1737390000-g7h8\n");
  });

  it("list and search print Markdown that is a notes file again, with the type of each note", async () => {
    useSample();
    const listed = await json(["memory", "list"]);
    const { stdout: markdown } = await ralph(["memory", "list", "--format", "markdown"]);
    expect(markdown).toMatch(/^# Memories\n\n## Patterns\n\n### mem-/);
    writeFileSync(file(), markdown);
    expect(await json(["memory", "list"])).toEqual(listed);
    expect(await out("memory", "search", "jsonl", "--format", "markdown")).toMatch(
      /^# Memories\n\n## Decisions\n\n### mem-1737380000-e5f6\n> Chose JSONL/,
    );
    expect(await out("memory", "search", "nothingness", "--format", "markdown")).toBe("");
  });

  it("show, edit and delete take an abbreviated id", async () => {
    useSample();
    expect(await out("memory", "show", "mem-1737390")).toContain("Type:    🔧 fix\n");
    expect(await out("memory", "edit", "mem-1737390", "new words", "--tags", "")).toBe(
      "📝 Memory updated: mem-1737390000-g7h8\n",
    );
    expect(await json(["memory", "show", "mem-1737390"])).toMatchObject({ content: "new words", tags: [] });
    expect(await out("memory", "delete", "mem-1737390")).toBe("🗑️  Memory deleted: mem-1737390000-g7h8\n");
    const gone = await ralph(["memory", "show", "mem-1737390"]);
    expect(gone).toMatchObject({ status: 1, stdout: "" });
    expect(gone.stderr).toMatch(/^Error: Memory not found: mem-1737390\b.*\n$/);
  });

  it("prime prints Markdown, within a budget, or JSON", async () => {
    useSample();
    expect(await out("memory", "prime")).toContain("## Fixes\n\n### mem-1737390000-g7h8\n");
    const short = await ralph(["memory", "prime", "--budget", "200"]);
    expect(short.stdout).toMatch(/<!-- \d+ more memor(?:y|ies) left out.*-->\n$/);
    expect(await json(["memory", "prime", "--type", "fix,pattern"])).toHaveLength(3);
    expect((await ralph(["memory", "prime", "--type", "nope"])).status).toBe(2);
  });

  it("init makes the template once; --force keeps a copy of what it overwrites", async () => {
    expect((await ralph(["memory", "init"])).status).toBe(0);
    expect(readFileSync(file(), "utf8")).toBe(
      "# Memories\n\n## Patterns\n\n## Decisions\n\n## Fixes\n\n## Context\n",
    );
    await ralph(["memory", "add", "precious"]);
    const before = readFileSync(file(), "utf8");
    expect(await ralph(["memory", "init"])).toMatchObject({ status: 1 });
    expect(readFileSync(file(), "utf8")).toBe(before);
    const forced = JSON.parse(await out("memory", "init", "--force", "--json"));
    expect(readFileSync(forced.previous, "utf8")).toBe(before);
    expect(await json(["memory", "list"])).toEqual([]);
  });

  it("--global works on the user's own notes", async () => {
    await ralph(["memory", "add", "I like short names", "--global"]);
    expect(await json(["memory", "list"])).toEqual([]);
    expect(await json(["memory", "list", "--global"])).toHaveLength(1);
    expect(readFileSync(join(cwd, ".home", "memories.md"), "utf8")).toContain("> I like short names\n");
    expect((await json(["memory", "prime"]))[0]).toMatchObject({
      content: "I like short names",
      origin: "user",
    });
  });
});

describe("ralph", () => {
  it("init sets a project up, and a second time changes nothing", async () => {
    expect((await json(["init"])).map(({ status }: { status: string }) => status)).toEqual(
      Array(4).fill("made"),
    );
    expect((await json(["init"])).map(({ status }: { status: string }) => status)).toEqual([
      "present",
      "present",
    ]);
  });

  it("index rebuild makes the index anew", async () => {
    useSample();
    expect(await json(["index", "rebuild"])).toEqual({ notes: 5 });
  });

  it("config show tells values and where they came from", async () => {
    writeFileSync(join(cwd, "ralph.yml"), "memories:\n  budget: 77\n");
    const rows = JSON.parse(
      (await ralph(["config", "show", "--json"], { env: { RALPH_MEMORIES_INJECT: "none" } })).stdout,
    );
    const byKey = Object.fromEntries(rows.map((row: { key: string }) => [row.key, row]));
    expect(byKey["memories.budget"]).toMatchObject({ value: 77, origin: join(cwd, "ralph.yml") });
    expect(byKey["memories.inject"]).toMatchObject({ value: "none", origin: "RALPH_MEMORIES_INJECT" });
    expect(byKey["memories.enabled"]).toMatchObject({ value: true, origin: "default" });
  });

  it("explains itself: help for everything, on standard output", async () => {
    const top = await ralph(["--help"]);
    expect(top).toMatchObject({ status: 0, stderr: "" });
    expect(top.stdout).toContain("memory <command>");
    const add = await ralph(["memory", "add", "--help"]);
    expect(add.stdout).toContain("Examples:");
    expect(await out("help", "memory", "add")).toBe(add.stdout);
    expect(await out("--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("takes --root before or behind the command, and RALPH_ROOT", async () => {
    useSample();
    const elsewhere = scratchRepository();
    const count = async (args: string[], env = {}) => {
      const { stdout } = await runRalph(args, { cwd: elsewhere, env });
      return JSON.parse(stdout).length;
    };
    expect(await count(["--root", cwd, "memory", "list", "--json"])).toBe(5);
    expect(await count(["memory", "list", "--json", `--root=${cwd}`])).toBe(5);
    expect(await count(["memory", "list", "--json"], { RALPH_ROOT: cwd })).toBe(5);
    expect(await count(["memory", "list", "--json"])).toBe(0);
  });

  it("plays a demonstration: a failure is reflected on, the retry succeeds, and the next task begins with the lesson", async () => {
    const steps: { step: string; result: string }[] = await json(["demo"]);
    const told = steps.map(({ step, result }) => `${step}\n${result}`).join("\n");
    expect(told).toContain("but the real test fails");
    expect(told).toContain("0.30000000000000004 == 0.3");
    expect(told).toContain("2 iterations without it, 1 iteration with it");
    expect(told).toContain("Drawn from");
    expect(told).toContain("iterations_to_completion");
  });
});
