import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BuildCopy, copyBuildForEverybody } from "../support/copy-build.js";
import { type TriedCommand, triedCommands } from "./support/planted/commands.js";
import { comparePrints, printFolder } from "./support/planted/folder-print.js";
import { type Home, type Lane, makeLane, outsideWord, own, restoreLane } from "./support/planted/lanes.js";
import { tryCommand } from "./support/planted/try-command.js";
import { superJournal } from "./support/super-journal.js";

let build: BuildCopy;
let folder: string;
let lane: Lane;

beforeAll(async () => {
  build = copyBuildForEverybody();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-stores-")));
  chmodSync(folder, 0o755);
  const place = join(folder, "lane");
  mkdirSync(place, { mode: 0o755 });
  lane = await makeLane(place, build);
}, 300_000);

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  build.remove();
});

/** One of each way to the records: they are read, written, repaired, exported, and told to an agent. */
const names = new Set([
  ...["hook SessionStart", "hook UserPromptSubmit", "hook PostToolUse", "hook Stop", "hook SessionEnd"],
  ...["(overview)", "status", "memory search cart", "memory list", "memory add Carts_round_half_up"],
  ...["recall cart", "doctor", "doctor --repair", "task list", "history", "export jsonl -", "mcp"],
]);
const commands = triedCommands.filter(({ name }) => names.has(name));
const commandNamed = (name: string): TriedCommand => {
  const found = triedCommands.find((command) => command.name === name);
  if (found === undefined) throw new Error(`no command ${name}`);
  return found;
};

const inProject = (...names: string[]) => join(lane.project, ...names);
const database = () => inProject(".ralph", "memory.db");
const victim = () => join(lane.outside, ".bashrc");

/** More would only tell the same, and each may have to be waited for. */
const mostFailed = 4;

interface Attack {
  homes?: readonly Home[];
  commands?: readonly TriedCommand[];
}

/** Builds the project anew for each command, and expects that none does what must never happen. */
async function attack(
  arm: () => void,
  { homes = ["home", "stranger"], commands: tried = commands }: Attack = {},
): Promise<void> {
  const failed: string[] = [];
  for (const home of homes)
    for (const command of tried) {
      if (failed.length === mostFailed) break;
      restoreLane(lane);
      arm();
      own(lane, lane.project);
      const { wrong } = await tryCommand(lane, command, home);
      const whose = home === "home" ? "own" : "first seen";
      if (wrong.length > 0) failed.push(`${command.name} | ${whose} | ${wrong.join("; ")}`);
    }
  if (failed.length > 0) expect.fail(["command | store | what happened", ...failed].join("\n"));
}

/** Changes a database as no Ralph would; the log is moved into it. */
function editHostile(path: string, ...statements: string[]): void {
  const edited = new DatabaseSync(path, { enableForeignKeyConstraints: false, defensive: false });
  edited.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  try {
    for (const statement of statements) edited.exec(statement);
  } finally {
    edited.close();
  }
}

function nameIn(folderName: string, pattern: RegExp): string {
  const found = readdirSync(inProject(folderName)).find((name) => pattern.test(name));
  if (found === undefined) throw new Error(`nothing like ${pattern} in ${folderName}`);
  return inProject(folderName, found);
}

const backup = () => nameIn(".ralph/backups", /^memory-.*\.db$/);
const pagesOf = (path: string) => ({ pageCount: Math.ceil(statSync(path).size / 4096) });

/** Compares for longer than anybody waits, in one step of SQLite, which nothing interrupts. */
const endless = "(instr(zeroblob(6000000), zeroblob(3000000) || x'01') > 0)";
/** Takes a gigabyte. */
const large = "length(hex(zeroblob(500000000)))";
const endlessRows =
  "WITH RECURSIVE c(x) AS (VALUES(1) UNION ALL SELECT x + 1 FROM c) SELECT count(*) AS n FROM c";

describe("a journal that names a file of the user as its super-journal", () => {
  it("does not delete the file when it is beside the database", () =>
    attack(() => {
      rmSync(`${database()}-wal`, { force: true });
      writeFileSync(`${database()}-journal`, superJournal(victim(), pagesOf(database())));
    }));

  it("does not delete the file when it is beside the database with its log", () =>
    attack(() => writeFileSync(`${database()}-journal`, superJournal(victim(), pagesOf(database())))));

  it("does not delete the file when git tracks the store", () =>
    attack(() => {
      writeFileSync(`${database()}-journal`, superJournal(victim(), pagesOf(database())));
      trackStore();
    }));

  it("does not delete the file when it is beside a backup", () =>
    attack(() => writeFileSync(`${backup()}-journal`, superJournal(victim(), pagesOf(backup())))));

  it("does not delete the file when it is beside a backup and the database is gone", () =>
    attack(() => {
      writeFileSync(`${backup()}-journal`, superJournal(victim(), pagesOf(backup())));
      for (const end of ["", "-wal", "-shm"]) rmSync(`${database()}${end}`, { force: true });
    }));

  it("does not delete the file when it is beside a database that was put aside", () =>
    attack(() => {
      for (const kind of ["rescued-1", "damaged-1", "replaced-1"]) {
        copyFileSync(backup(), `${database()}.${kind}`);
        writeFileSync(`${database()}.${kind}-journal`, superJournal(victim(), pagesOf(backup())));
      }
    }));

  it("does not delete the file when it is beside an earlier version of the notes", () =>
    attack(() => {
      const replaced = nameIn(".ralph/replaced", /^memories\.md-/);
      copyFileSync(backup(), join(replaced, "memory.db"));
      writeFileSync(join(replaced, "memory.db-journal"), superJournal(victim(), pagesOf(backup())));
    }));

  it("does not wait when the super-journal is a pipe, nor read one of 2 GB into memory", async () => {
    await attack(() => {
      execFileSync("mkfifo", [inProject("pipe")]);
      writeFileSync(`${database()}-journal`, superJournal(inProject("pipe"), pagesOf(database())));
    });
    await attack(() => {
      execFileSync("truncate", ["-s", "2000000000", inProject("huge")]);
      writeFileSync(`${database()}-journal`, superJournal(inProject("huge"), pagesOf(database())));
    });
  });
});

describe("the files beside a database", () => {
  it("may be the log of another database", () =>
    attack(() => {
      const other = inProject("other.db");
      const made = new DatabaseSync(other);
      made.exec("PRAGMA journal_mode = WAL; CREATE TABLE tasks(id); INSERT INTO tasks VALUES (1)");
      copyFileSync(`${other}-wal`, `${database()}-wal`);
      made.close();
    }));

  it("may be a log with another page size, or with a header that lies", () =>
    attack(() => {
      const log = Buffer.alloc(64 * 1024, 7);
      log.writeUInt32BE(0x377f0682, 0);
      log.writeUInt32BE(3007000, 4);
      log.writeUInt32BE(65536, 8);
      writeFileSync(`${database()}-wal`, log);
    }));

  it("may be junk as the index of the log", () =>
    attack(() => writeFileSync(`${database()}-shm`, Buffer.alloc(64 * 1024, 0xee))));

  it("may be a journal that is cut or lies about its pages", () =>
    attack(() => {
      const journal = superJournal("/", { pageCount: 0x7fffffff });
      writeFileSync(`${database()}-journal`, journal.subarray(0, 100));
    }));
});

describe("the schema of a database that came along", () => {
  it("may have triggers", () =>
    attack(() =>
      editHostile(database(), `CREATE TRIGGER evil AFTER INSERT ON tasks BEGIN SELECT ${endless}; END`),
    ));

  it("may have a view in place of a table that never ends", () =>
    attack(() =>
      editHostile(
        database(),
        "ALTER TABLE tasks RENAME TO tasks_before",
        `CREATE VIEW tasks AS ${endlessRows}`,
      ),
    ));

  it("may have a view that is disguised as a table", () =>
    attack(() =>
      editHostile(
        database(),
        "ALTER TABLE settings_cache RENAME TO settings_cache_before",
        `CREATE VIEW settings_cache AS ${endlessRows}`,
        "ALTER TABLE tasks RENAME TO tasks_before",
        `CREATE VIEW tasks AS ${endlessRows}`,
        ...disguised,
      ),
    ));

  it("may have virtual tables", () =>
    attack(() => editHostile(database(), "CREATE VIRTUAL TABLE evil USING fts5(text)")));

  it("may have generated columns that never end or need a gigabyte", async () => {
    for (const expression of [endless, large])
      await attack(() =>
        editHostile(
          database(),
          "ALTER TABLE tasks RENAME COLUMN description TO description_before",
          `ALTER TABLE tasks ADD COLUMN description TEXT GENERATED ALWAYS AS (${expression}) VIRTUAL`,
        ),
      );
  });

  it("may check rows with an expression that never ends", () =>
    attack(() =>
      editHostile(database(), "PRAGMA writable_schema = ON", constrain("tasks"), constrain("notes")),
    ));

  it("may have indexes on expressions that never end", () =>
    attack(() =>
      // Of a table with rows, as one without: they are computed when somebody writes or checks.
      editHostile(
        database(),
        "PRAGMA writable_schema = ON",
        "CREATE INDEX evil ON tasks(number) WHERE number > 0",
        `UPDATE sqlite_schema SET sql = 'CREATE INDEX evil ON tasks(number) WHERE ${endless.replaceAll("'", "''")}' WHERE name = 'evil'`,
      ),
    ));

  it("may have a trigger that is disguised as a table, which changes nothing that is recorded", async () => {
    const failed: string[] = [];
    for (const home of ["home", "stranger"] as const) {
      restoreLane(lane);
      editHostile(
        database(),
        "CREATE TRIGGER evil AFTER INSERT ON tasks BEGIN UPDATE tasks SET status = 'evil'; END",
        ...disguised,
      );
      own(lane, lane.project);
      await tryCommand(lane, commandNamed("task init Another"), home);
      const read = new DatabaseSync(database(), { readOnly: true });
      const { count } = read.prepare("SELECT count(*) AS count FROM tasks WHERE status = 'evil'").get() as {
        count: number;
      };
      read.close();
      if (count > 0) failed.push(`${home}: the trigger changed ${count} records`);
    }
    expect(failed).toEqual([]);
  });
});

/** Only what has no page is looked at as a trigger, a view or a virtual table; SQLite does not care. */
const disguised = [
  "PRAGMA writable_schema = ON",
  "UPDATE sqlite_schema SET rootpage = 2 WHERE type IN ('trigger', 'view')",
];

/** The same table, of which each row is checked. */
function constrain(table: string): string {
  const read = new DatabaseSync(database(), { readOnly: true });
  const { sql } = read.prepare("SELECT sql FROM sqlite_schema WHERE name = ?").get(table) as { sql: string };
  read.close();
  const checked = `${sql.slice(0, sql.lastIndexOf(")"))}, CHECK (NOT ${endless}))`;
  return `UPDATE sqlite_schema SET sql = '${checked.replaceAll("'", "''")}' WHERE name = '${table}'`;
}

describe("the form of a database that came along", () => {
  const forms: Record<string, string[]> = {
    "small pages": ["PRAGMA journal_mode = DELETE", "PRAGMA page_size = 512", "VACUUM"],
    "large pages": ["PRAGMA journal_mode = DELETE", "PRAGMA page_size = 65536", "VACUUM"],
    "pages that move by themselves": ["PRAGMA auto_vacuum = FULL", "VACUUM"],
    "another program's id": ["PRAGMA application_id = 252006674"],
    "a version of the future": ["PRAGMA user_version = 2147483647"],
    "a version before all others": ["PRAGMA user_version = -5"],
    "no log": ["PRAGMA journal_mode = DELETE"],
    "a journal that stays": ["PRAGMA journal_mode = PERSIST", "PRAGMA user_version = 1"],
  };
  for (const [form, statements] of Object.entries(forms))
    it(`may be ${form}`, () => attack(() => editHostile(database(), ...statements)));

  it("may be UTF-16", () =>
    attack(() => {
      const before = new DatabaseSync(database());
      const rows = before
        .prepare(
          "SELECT sql FROM sqlite_schema WHERE sql LIKE 'CREATE TABLE%' AND name NOT LIKE 'search_text%'",
        )
        .all() as { sql: string }[];
      const { user_version: version } = before.prepare("PRAGMA user_version").get() as {
        user_version: number;
      };
      before.close();
      for (const end of ["", "-wal", "-shm"]) rmSync(`${database()}${end}`, { force: true });
      editHostile(
        database(),
        "PRAGMA encoding = 'UTF-16le'",
        ...rows.map(({ sql }) => sql).filter((sql) => !/sqlite_/.test(sql)),
        `PRAGMA user_version = ${version}`,
      );
    }));

  it("may hold packed actions that unpack to a gigabyte", () =>
    attack(
      () => {
        packed ??= deflateRawSync(Buffer.alloc(bombBytes, " ")).toString("hex");
        editHostile(
          database(),
          `INSERT INTO packed_actions (attempt_key, content) SELECT attempt_key, x'${packed}' FROM attempts LIMIT 1`,
          "UPDATE attempts SET actions_performed = 3",
        );
      },
      {
        commands: [
          ...[...commands, commandNamed("doctor --secrets")],
          { name: "replay", args: ["replay", "task-001"] },
          { name: "history task-001", args: ["history", "task-001"] },
        ],
      },
    ));
});

const bombBytes = 1000 * 1024 * 1024;
let packed: string | undefined;

describe("files of sessions that came along", () => {
  const session = (fields: Record<string, unknown>) =>
    JSON.stringify({ agent: "claude", session: "x", iteration: 0, shown: [], ...fields });
  const write = (name: string, text: string) => writeFileSync(inProject(".ralph/sessions", name), text);

  it("may have any name", () =>
    attack(() => {
      for (const name of [
        ".json",
        "..json",
        "a\nb.json",
        "-rf.json",
        `${"x".repeat(240)}.json`,
        "é\u202e.json",
      ])
        write(name, session({ isOver: true }));
    }));

  it("do not lead out by the name of their agent", () =>
    attack(() => {
      const agent = "../../../outside/folder/evil";
      write("claude-1.json", session({ agent, unbegun: "Fix the cart", runner: { pid: 1 } }));
      write("claude-1.jsonl", `${JSON.stringify({ tool: "Bash", params: {} })}\n`);
      write("claude-2.json", session({ agent, isOver: true, taskId: "task-001" }));
    }));

  it("do not make the next hook wait by their number", () =>
    attack(
      () => {
        for (let number = 0; number < 20_000; number += 1) write(`claude-${number}.json`, session({}));
      },
      { commands: [commandNamed("hook SessionStart"), commandNamed("hook UserPromptSubmit")] },
    ));

  it("do not show what a link among them leads to", () =>
    attack(() => {
      const own = nameIn(".ralph/sessions", /^claude-.*\.json$/);
      rmSync(own);
      symlinkSync(join(lane.outside, "session.json"), own);
    }));
});

describe("git's own files that came along", () => {
  /** A project of the user's own, which has nothing to do with the one at hand. */
  const otherProject = () => join(lane.outside, "folder");
  const pointTo = (files: Record<string, string>) => {
    rmSync(inProject(".git"), { recursive: true });
    writeFileSync(inProject(".git"), "gitdir: meta\n");
    for (const [name, text] of Object.entries({ "meta/HEAD": "ref: refs/heads/main\n", ...files })) {
      mkdirSync(dirname(inProject(name)), { recursive: true });
      writeFileSync(inProject(name), text);
    }
    for (const name of ["meta/objects", "meta/refs"]) mkdirSync(inProject(name), { recursive: true });
  };

  it("do not make another project's memory this one's by a .git file", () =>
    attack(() => {
      rmSync(inProject(".git"), { recursive: true });
      writeFileSync(inProject(".git"), `gitdir: ${otherProject()}\n`);
    }));

  it("do not make another project's memory this one's by commondir", () =>
    attack(() => pointTo({ "meta/commondir": `${join(otherProject(), ".git")}\n` })));

  it("do not make another project's memory this one's by core.worktree", () =>
    attack(() =>
      pointTo({ "meta/commondir": ".\n", "meta/config": `[core]\n\tworktree = ${otherProject()}\n` }),
    ));

  it("do not make another project's memory this one's by a bare repository elsewhere", () =>
    attack(() => pointTo({ "meta/commondir": `${otherProject()}\n` })));

  it("do not make a command wait by including a pipe", () =>
    attack(() => {
      execFileSync("mkfifo", [inProject("pipe")]);
      appendFileSync(inProject(".git/config"), `[include]\n\tpath = ${inProject("pipe")}\n`);
    }));

  it("do not make a command wait by naming pipes as lists of attributes and ignored files", () =>
    attack(() => {
      execFileSync("mkfifo", [inProject("pipe")]);
      const pipe = inProject("pipe");
      appendFileSync(
        inProject(".git/config"),
        `[core]\n\texcludesFile = ${pipe}\n\tattributesFile = ${pipe}\n`,
      );
    }));

  it("may borrow objects from elsewhere", () =>
    attack(() => {
      mkdirSync(inProject(".git/objects/info"), { recursive: true });
      writeFileSync(inProject(".git/objects/info/alternates"), `${join(lane.outside, "folder/objects")}\n`);
    }));
});

describe("the settings of a project that came along", () => {
  it("do not make a hook wait by a pattern that backtracks", () =>
    attack(() => writeFileSync(inProject("ralph.yml"), 'hooks: { exclude: ["([a-z]|[a-z ])+[0-9]$"] }\n')));

  it("do not move the continuity file out by a folder that is a link", () =>
    attack(
      () => {
        symlinkSync(join(lane.outside, "folder"), inProject("docs"));
        writeFileSync(inProject("ralph.yml"), "continuity: { path: docs/CONTINUITY.md }\n");
      },
      { commands: [...commands, commandNamed("continuity show"), commandNamed("continuity update")] },
    ));

  it("may be nested deeply, or refer to themselves again and again", async () => {
    await attack(() => writeFileSync(inProject("ralph.yml"), `hooks: ${"[".repeat(100_000)}`));
    const lines = ["a0: &a0 [x,x,x,x,x,x,x,x,x]"];
    for (let level = 1; level < 12; level += 1)
      lines.push(`a${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(",")}]`);
    await attack(() => writeFileSync(inProject("ralph.yml"), lines.join("\n")));
  });
});

/** Everything that the store holds is in git, as somebody else's clone would have it. */
function trackStore(): void {
  own(lane, lane.project);
  const user = lane.uid === undefined ? {} : { uid: lane.uid, gid: lane.uid };
  const env = { PATH: "/usr/bin:/bin", GIT_CONFIG_GLOBAL: "/dev/null" };
  const git = (...args: string[]) => execFileSync("git", args, { cwd: lane.project, env, ...user });
  git("add", "--all", "--force");
  git("commit", "--quiet", "--message", "records");
}

describe("a store that this user has not made", () => {
  const recorded = "Fix_the_cart";
  const reading = ["history", "task list", "search cart", "recall cart", "status", "doctor"].map(
    commandNamed,
  );
  const writing = ["task init Another", "memory add Carts_round_half_up", "ledger checkpoint me"].map(
    commandNamed,
  );
  const hooks = triedCommands.filter(({ isHook }) => isHook);
  const ways: Record<string, { arm: () => void; homes: readonly Home[] }> = {
    "that was unpacked from an archive": { arm: () => undefined, homes: ["stranger"] },
    "that git tracks": { arm: trackStore, homes: ["stranger", "home"] },
    "that is in a submodule": { arm: intoSubmodule, homes: ["stranger"] },
  };
  for (const [way, { arm, homes }] of Object.entries(ways)) {
    const each = async (
      tried: readonly TriedCommand[],
      look: (run: Awaited<ReturnType<typeof tryCommand>>["run"]) => (string | false)[],
    ) => {
      const failed: string[] = [];
      for (const home of homes)
        for (const command of tried) {
          restoreLane(lane);
          arm();
          own(lane, lane.project);
          const before = printFolder(inProject(".ralph"));
          const { run, wrong } = await tryCommand(lane, command, home);
          const changes = comparePrints(before, printFolder(inProject(".ralph"))).filter(isOfRecords);
          const all = [...wrong, ...changes, ...look(run).filter((text) => text !== false)];
          if (all.length > 0) failed.push(`${command.name} | ${home} | ${all.join("; ")}`);
        }
      if (failed.length > 0) expect.fail(["command | home | what happened", ...failed].join("\n"));
    };

    it(`is not opened or shown by commands that read, which say so: one ${way}`, () =>
      each(reading, ({ stdout, stderr, status }) => [
        stdout.includes(recorded) && "showed its records",
        stderr.trim() === "" && "said nothing",
        status !== 0 && status !== 1 && `ended with ${status}`,
      ]));

    it(`is not written to, and one line says how to trust it: one ${way}`, () =>
      each(writing, ({ stderr, status }) => [
        status === 0 && "wrote",
        !/ralph trust/.test(stderr) && "did not name ralph trust",
        stderr.trim().split("\n").length > 1 && "said more than a line",
      ]));

    it(`leaves hooks silent: one ${way}`, () =>
      each(hooks, ({ stdout, stderr }) => [
        stdout.includes(recorded) && "told an agent its records",
        stderr !== "" && "said something",
      ]));
  }

  it("is not taken for the project's by its name in other letters", () =>
    attack(() => {
      const isTold = existsSync(inProject(".RALPH"));
      renameSync(inProject(".ralph"), inProject(".kept"));
      renameSync(inProject(".kept"), inProject(".RALPH"));
      if (!isTold) writeFileSync(inProject(".RALPH/memory.db-journal"), superJournal(victim()));
      renameSync(inProject(".agent"), inProject(".Agent"));
    }));

  it("is the user's own where he made it", async () => {
    restoreLane(lane);
    const { run, wrong } = await tryCommand(lane, commandNamed("history"), "home");
    expect(wrong).toEqual([]);
    expect(run).toMatchObject({ status: 0 });
    expect(run.stdout).toContain(recorded);
    expect(run.stdout).not.toContain(outsideWord);
  });
});

/** Where it is made private and ignored by git is not told by its records. */
function isOfRecords(change: string): boolean {
  return !/^changed (?:\.gitignore)?: |^created (?:\.gitignore|ralph\.log)$/.test(change);
}

/** The project becomes a submodule of a repository around it; its git directory is that one's. */
function intoSubmodule(): void {
  trackStore();
  const inner = inProject("around.git", "modules", "project");
  mkdirSync(dirname(inner), { recursive: true });
  cpSync(inProject(".git"), inner, { recursive: true });
  rmSync(inProject(".git"), { recursive: true });
  writeFileSync(inProject(".git"), "gitdir: around.git/modules/project\n");
  expect(readFileSync(join(inner, "HEAD"), "utf8")).toContain("refs/heads/main");
}
