import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runRalph } from "../support/run-ralph.js";
import { noteBlocks, sampleNotes } from "../support/sample-notes.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";

let cwd: string;
const ralph = (args: string[], env: Record<string, string> = {}, input?: string) =>
  runRalph(args, { cwd, env, ...(input !== undefined && { input }) });
const file = () => join(cwd, ".agent", "memories.md");

beforeEach(() => {
  cwd = scratchRepository();
  mkdirSync(join(cwd, ".agent"));
  writeFileSync(file(), sampleNotes);
});

function contentOf(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

async function expectRefusal(
  args: string[],
  status: number,
  message: RegExp,
  env = {},
  input?: string,
): Promise<void> {
  const before = contentOf(file());
  const result = await ralph(args, env, input);
  expect(result.stderr).toMatch(message);
  expect(result.stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(result).toMatchObject({ status, stdout: "" });
  if (before !== undefined) expect(readFileSync(file()).equals(before)).toBe(true);
}

describe("wrong use ends with 2 and one line that says what to do", () => {
  it.each<[string[], RegExp]>([
    [["memory", "add", ""], /note is empty/],
    [["memory", "add", "   "], /note is empty/],
    [["memory", "add", "x".repeat(20_000)], /at most 16384 bytes/],
    [["memory", "add"], /Missing <content>/],
    [["memory", "add", "one", "two"], /Unexpected argument: two \(put text with spaces in quotes\)/],
    [["status", "x"], /^Error: Unexpected argument: x$/m],
    [["trust", "--list", "--withdraw"], /--list and --withdraw exclude each other/],
    [["memory", "add", "x", "--type", "fixx"], /Unknown type: fixx \(did you mean "fix"\?/],
    [["memory", "add", "x", "--format", "yaml"], /Unknown format: yaml/],
    [["memory", "add", "x", "--tags", "a|b"], /A tag cannot contain "\|"/],
    [["memory", "add", "x", "--tgas", "a"], /Unknown option: --tgas \(did you mean --tags\?\)/],
    [["memory", "add", "x", "--type"], /--type needs a value/],
    [["memory", "add", "--force is dangerous"], /put text that starts with a dash after "--"/],
    [["memory", "prime", "--budget", "-5"], /--budget takes a whole number/],
    [["memory", "prime", "--budget", "many"], /--budget takes a whole number/],
    [["memory", "prime", "--recent", "2025-01-01"], /--recent takes a whole number/],
    [["memory", "prime", "--type", "fix,nope"], /Unknown type: nope/],
    [["memory", "list", "--last", "1.5"], /--limit takes a whole number/],
    [["memory", "list", "--json=yes"], /--json takes no value/],
    [["memory", "show", "mem-17373"], /Several memory ids start with mem-17373: mem-1737372000-a1b2/],
    [["memory", "edit", "mem-1737390"], /Nothing to change/],
    [["memory", "edit", "mem-1737390", ""], /note is empty \(.*"ralph memory delete"/],
    [["config", "set", "memories.budget", "-5"], /memories\.budget must be a whole number, 0 or more/],
    [["config", "set", "memories.budget", "-x"], /Unknown option: -x/],
    [["history", "-5"], /Unknown option: -5/],
    [["memory", "serch"], /Unknown command: ralph memory serch \(did you mean "search"\?/],
    [["--verison"], /Unknown option: --verison \(did you mean --version\?\)/],
    [["qqqqqq"], /^Error: Unknown command: ralph qqqqqq \("ralph --help" lists the commands\)$/m],
    [["search", " "], /The query is empty \("ralph task list" lists all tasks\)/],
    [["recall", "x", "--memory", "many"], /many/],
    [["recall", "x", "--memory", "-3"], /-3/],
    [["export", "cross-task", ""], /output folder is an empty string/],
    [["constructor"], /Unknown command/],
    [["memory", "list", "--root", "/does/not/exist"], /Not a folder/],
  ])("%j", async (args, message) => {
    await expectRefusal(args, 2, message);
  });

  it("an unknown setting names the nearest known one", async () => {
    writeFileSync(join(cwd, "ralph.yml"), "memories:\n  buget: 5\n");
    await expectRefusal(
      ["memory", "add", "x"],
      2,
      /unknown setting memories\.buget \(did you mean "memories\.budget"\?/,
    );
  });

  it("a group without a command explains itself", async () => {
    const { status, stdout, stderr } = await ralph(["memory"]);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("add <content>");
  });

  it("too much standard input is refused, and a file with as much", async () => {
    const text = "y".repeat(3_000_000);
    await expectRefusal(["memory", "add", "-"], 2, /at most|larger than 1 MB/, {}, text);
    await expectRefusal(["run", "-"], 2, /Standard input is larger than 1 MB/, {}, text);
    const file = join(scratchFolder(), "long.md");
    writeFileSync(file, text);
    await expectRefusal(["run", "--file", file], 2, /long\.md is larger than 1 MB/);
    await expectRefusal(["task", "start", "task-001", "--plan", file], 2, /long\.md is larger than 1 MB/);
  });
});

describe("what fails ends with 1, one line, and nothing changed", () => {
  it.runIf(existsSync("/proc/self"))("a folder that cannot be made, wherever it is", async () => {
    const absent = /No such file or directory/;
    await expectRefusal(["export", "cross-task", "/proc/none/x"], 1, absent);
    await expectRefusal(["memory", "add", "x", "--global"], 1, absent, { RALPH_HOME: "/proc/none/x" });
  });

  it("an id that is not there", async () => {
    await expectRefusal(
      ["memory", "delete", "mem-1700000000-ffff"],
      1,
      /^Error: Memory not found: mem-1700000000-ffff/,
    );
  });

  it.each([
    ["report", "--out", "missing/report.html"],
    ["history", "--export", "missing/history.md"],
    ["export", "jsonl", "missing/dump.jsonl"],
    ["learnings", "export", "missing/learnings.json"],
  ])("%s %s %s into a folder that is not there", async (...args) => {
    await expectRefusal(args, 1, /^Error: Folder not found: .*missing \(create it, or choose another\)$/m);
    expect(existsSync(join(cwd, "missing"))).toBe(false);
  });

  it.each([
    ["report", "--out", "."],
    ["export", "jsonl", "."],
    ["export", "jsonl", ".", "--force"],
    ["learnings", "export", "."],
  ])("%s %s %s %s: a folder where a file is to be written", async (...args) => {
    const given = args.filter((word) => word !== undefined);
    await expectRefusal(given, 1, /^Error: \. is a folder \(name a file in it\)$/m);
  });

  it("a folder where a text is read from", async () => {
    for (const args of [
      ["run", "--file", "."],
      ["task", "start", "task-001", "--plan", "."],
    ])
      await expectRefusal(args, 1, /^Error: \. is a folder \(name a file in it\)$/m);
  });

  it("bytes that are no text where a text is read from, and a device", async () => {
    const file = join(scratchFolder(), "logo.png");
    writeFileSync(file, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe]));
    await expectRefusal(["run", "--file", file], 1, /logo\.png is not text in UTF-8 \(save it as UTF-8\)$/m);
    await expectRefusal(
      ["memory", "add", "-"],
      1,
      /^Error: Standard input is not text in UTF-8/,
      {},
      "h\0i\0",
    );
    await expectRefusal(
      ["run", "--file", "/dev/null"],
      1,
      /^Error: Not a regular file: .*\(name another file\)$/m,
    );
  });

  it("a directory where the file should be", async () => {
    const other = scratchRepository();
    mkdirSync(join(other, ".agent", "memories.md"), { recursive: true });
    cwd = other;
    await expectRefusal(["memory", "add", "x"], 1, /Expected a file, found a directory/);
    await expectRefusal(["memory", "list"], 1, /Expected a file, found a directory/);
  });

  it("a file where the directory should be", async () => {
    cwd = scratchFolder();
    writeFileSync(join(cwd, ".agent"), "");
    await expectRefusal(["memory", "add", "x"], 1, /Expected a directory, found a file/);
  });

  it("a link that leads to itself", async () => {
    cwd = scratchRepository();
    mkdirSync(join(cwd, ".agent"));
    symlinkSync("memories.md", file());
    await expectRefusal(["memory", "add", "x"], 1, /Too many levels of symbolic links/);
  });

  it("conflict markers, with their line", async () => {
    writeFileSync(file(), `${sampleNotes}<<<<<<< HEAD\n`);
    await expectRefusal(["memory", "add", "x"], 1, /Git conflict marker in .*memories\.md, line 31/);
    const { status, stdout, stderr } = await ralph(["memory", "prime"]);
    expect([status, stdout.match(/^### mem-/gm)?.length]).toEqual([0, 5]);
    expect(stderr).toMatch(/^Warning: .*memories\.md, line 31: git conflict marker: no note can be written/);
  });

  it("wrong content, before anything is made", async () => {
    cwd = scratchRepository();
    await expectRefusal(["memory", "add", ""], 2, /note is empty/);
    await expectRefusal(["memory", "delete", "mem-1-aaaa"], 1, /Memory not found/);
    await expectRefusal(["memory", "edit", "mem-1-aaaa", "x"], 1, /Memory not found/);
    expect(readdirSync(cwd).filter((name) => name === ".ralph" || name === ".agent")).toEqual([]);
  });

  it("a device or a pipe in the place of the file", async () => {
    cwd = scratchRepository();
    mkdirSync(join(cwd, ".agent"));
    symlinkSync("/dev/zero", file());
    const { status, stderr } = await ralph(["memory", "list"]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Error: Not a regular file/)]);
    unlinkSync(file());
    execFileSync("mkfifo", [file()]);
    expect((await ralph(["memory", "add", "x"])).stderr).toMatch(/^Error: Not a regular file/);
  });
});

describe("a full disk", () => {
  it("changes nothing, at whatever moment it is full", async (context) => {
    const mount = scratchFolder();
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", mount], { stdio: "ignore" });
    } catch {
      context.skip("a small file system cannot be mounted here");
    }
    try {
      cwd = join(mount, "project");
      mkdirSync(join(cwd, ".agent"), { recursive: true });
      writeFileSync(file(), sampleNotes);
      await ralph(["memory", "add", "x".repeat(9000)], { RALPH_HOME: join(mount, "home") });
      const outcomes = new Set<string>();
      for (let free = 100; free >= 4; free -= 8) {
        execFileSync("sh", [
          "-c",
          `rm -f "${mount}/filler"; avail=$(df -k --output=avail "${mount}" | tail -1); head -c $(( (avail - ${free}) * 1024 )) /dev/zero > "${mount}/filler"`,
        ]);
        const before = readFileSync(file(), "utf8");
        const { status, stderr } = await ralph(["memory", "add", `note ${free} ${"y".repeat(3000)}`], {
          RALPH_HOME: "/dev/null/none",
        });
        outcomes.add(String(status));
        if (status === 0) continue;
        expect(stderr.trimEnd().split("\n")).toHaveLength(1);
        expect(stderr).toMatch(/^Error: No space left/);
        expect(readFileSync(file(), "utf8")).toBe(before);
      }
      expect(outcomes).toContain("1");
      unlinkSync(join(mount, "filler"));
      const listed = JSON.parse((await ralph(["memory", "list", "--json"])).stdout).length;
      expect(readFileSync(file(), "utf8").match(/^### mem-/gm)).toHaveLength(listed);
    } finally {
      execFileSync("umount", [mount]);
    }
  });
});

describe("a damaged database", () => {
  const database = () => join(cwd, ".ralph", "memory.db");

  async function destroy(): Promise<void> {
    await ralph(["memory", "add", "first"]);
    await ralph(["doctor"]);
    for (const suffix of ["-wal", "-shm"])
      if (existsSync(database() + suffix)) writeFileSync(database() + suffix, "");
    writeFileSync(database(), "garbage ".repeat(1000));
  }

  it("stops the command and is restored only on request", async () => {
    await destroy();
    await expectRefusal(["memory", "list"], 1, /The database is damaged: .*doctor --repair/);
    const examined = await ralph(["doctor"]);
    expect(examined.status).toBe(1);
    expect(readFileSync(database(), "utf8")).toContain("garbage");
    const repaired = await ralph(["doctor", "--repair"]);
    expect(repaired.stdout).toMatch(
      /database +nothing read from the damaged database; the damaged file is kept as .*\n[\s\S]*! database +most tables could not be read in full: what was recorded there after the backup of/,
    );
    expect(repaired.status).toBe(0);
    expect(JSON.parse((await ralph(["memory", "list", "--json"])).stdout)).toHaveLength(6);
  });

  it("with damage in the search index alone is rebuilt in place", async () => {
    const contents = Array.from({ length: 30 }, (_, index) => `word${index} sabotaged`);
    writeFileSync(file(), `# Memories\n\n## Fixes\n\n${noteBlocks(contents)}`);
    await ralph(["memory", "list"]);
    const { loadSqliteEngine } = await import("../../src/store/sqlite/sqlite-driver.js");
    const connection = (await loadSqliteEngine()).open(database());
    // Shadow tables are protected from everybody but a saboteur.
    (connection as unknown as { enableDefensive(isOn: boolean): void }).enableDefensive(false);
    connection.exec("DELETE FROM search_text_note_data WHERE id > 10");
    connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    connection.close();
    const { stdout, stderr, status } = await ralph(["memory", "search", "sabotaged", "--all", "--json"]);
    expect(stderr).toContain("the search index");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(30);
    expect((await ralph(["memory", "search", "sabotaged", "--all"])).stderr).toBe("");
  });

  it("from a newer version is left alone", async () => {
    await ralph(["memory", "add", "first"]);
    const { loadSqliteEngine } = await import("../../src/store/sqlite/sqlite-driver.js");
    const connection = (await loadSqliteEngine()).open(database());
    connection.exec("PRAGMA user_version = 999000");
    connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    connection.close();
    await expectRefusal(["memory", "list"], 1, /was made by a newer Ralph/);
  });

  it("half overwritten does not lose a note: the Markdown file has them all", async () => {
    for (let index = 0; index < 5; index += 1) await ralph(["memory", "add", `kept ${index}`]);
    await ralph(["doctor"]);
    const handle = openSync(database(), "r+");
    const size = statSync(database()).size;
    for (let at = 4096; at < size; at += 8192) writeSync(handle, Buffer.alloc(2048, 7), 0, 2048, at);
    closeSync(handle);
    await ralph(["doctor", "--repair"]);
    expect(JSON.parse((await ralph(["memory", "list", "--json"])).stdout)).toHaveLength(10);
  });
});

describe("ralph doctor", () => {
  const database = () => join(cwd, ".ralph", "memory.db");
  const checks = async (...args: string[]) => {
    const { stdout, status } = await ralph(["doctor", "--json", ...args]);
    return { status, checks: JSON.parse(stdout) as { part: string; status: string; detail: string }[] };
  };
  const sabotage = async (statement: string) => {
    const { loadSqliteEngine } = await import("../../src/store/sqlite/sqlite-driver.js");
    const connection = (await loadSqliteEngine()).open(database());
    (connection as unknown as { enableDefensive(isOn: boolean): void }).enableDefensive(false);
    connection.exec(statement);
    connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    connection.close();
  };

  it("rebuilds a damaged index and leaves the records alone", async () => {
    await ralph(["memory", "add", "first"]);
    await sabotage("DELETE FROM search_text_note_data WHERE id > 10");
    const { status, checks: found } = await checks();
    expect(status).toBe(0);
    expect(found.filter((check) => check.status === "repaired")).toHaveLength(1);
    expect(readdirSync(join(cwd, ".ralph")).filter((name) => name.includes("damaged"))).toEqual([]);
    expect((await checks()).checks.every((check) => check.status === "ok")).toBe(true);
  });

  it("indexes again what is not as in the file, whatever the stamps say", async () => {
    await ralph(["memory", "add", "first"]);
    await sabotage("UPDATE notes SET block_print = 'wrong', content = 'wrong'");
    expect((await checks()).checks.find((check) => check.part === "index")?.detail).toContain(
      "6 notes differed from the file",
    );
    expect((await ralph(["memory", "search", "first", "--json"])).stdout).toContain('"first"');
  });

  it("goes on writing ahead after a repair, and protects what is private", async () => {
    await ralph(["memory", "add", "first"]);
    rmSync(database());
    for (const suffix of ["-wal", "-shm"]) rmSync(database() + suffix, { force: true });
    await expectRefusal(["memory", "list"], 1, /The database is missing/);
    expect((await checks("--repair")).status).toBe(0);
    const { loadSqliteEngine } = await import("../../src/store/sqlite/sqlite-driver.js");
    const connection = (await loadSqliteEngine()).open(database());
    expect(connection.prepare("PRAGMA journal_mode").get()).toMatchObject({ journal_mode: "wal" });
    connection.close();
    chmodSync(database(), 0o644);
    unlinkSync(join(cwd, ".ralph", ".gitignore"));
    expect(
      (await checks()).checks.filter((check) => check.part === "permissions").map((check) => check.status),
    ).toEqual(["repaired", "repaired"]);
    expect(statSync(database()).mode & 0o777).toBe(0o600);
  });

  it("warns of malformed notes and of notes that git ignores, and looks on when settings are wrong", async () => {
    writeFileSync(file(), `${sampleNotes}\n### mem-odd!\n> x\n`);
    writeFileSync(join(cwd, ".gitignore"), ".agent\n");
    writeFileSync(join(cwd, "ralph.yml"), "memories:\n  buget:\n");
    const { status, checks: found } = await checks();
    expect(status).toBe(1);
    expect(found.map(({ part, status: mark }) => `${part} ${mark}`)).toEqual([
      "project ok",
      "settings failed",
      "database ok",
      "notes ok",
      "notes warning",
      "index ok",
      "learnings ok",
      "tasks ok",
      "permissions ok",
      "git warning",
    ]);
  });
});
