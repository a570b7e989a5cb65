import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, projectRoot, readSource, sourceFiles } from "./support/source-imports.js";

/** The table of rooms in ARCHITECTURE.md: a room, what is in it, and the rooms it may import from. */
function readTable(): Map<string, Set<string>> {
  const text = readFileSync(join(projectRoot, "ARCHITECTURE.md"), "utf8");
  const table = /\| imports code from \|\n([\s\S]*?)\n\n/.exec(text)?.[1] ?? "";
  const rows = [...table.matchAll(/^\| `(\w+)\/` \|.*\| ([\w ]*)\|$/gm)];
  return new Map(
    rows.map(([, room = "", allowed = ""]) => [room, new Set(allowed.split(/\s+/).filter(Boolean))]),
  );
}

const roomOf = (file: string) => file.split("/")[0] ?? "";
const inRooms = sourceFiles.filter((file) => file.includes("/"));
const largestFolder = 16;
/** Numbered, with one more for each change to the tables; or named after the words that run them. */
const isListedByName = (file: string) =>
  /^store\/migrations\/\d/.test(file) || dirname(file) === "cli/commands";

/** Rooms whose modules get paths of a project; the others get paths from the user, from agents or from the system. */
const projectRooms = new Set(
  "hooks memory store config procedural trust loop agents notes working episodic recall".split(" "),
);

/** Modules that use `node:fs` themselves, and why that is safe. */
const opensByItself = new Map([
  ["trust/store-folder.ts", "decides which folder of records is used, and reads nothing else"],
  ["trust/trust-file.ts", "reads the user's own folder"],
  ["hooks/session-files.ts", "deletes in the folder that store-folder.ts chose"],
  ["hooks/record-action.ts", "appends in the folder that store-folder.ts chose"],
  ["hooks/prompt-context.ts", "reads a descriptor of openRegularFile"],
  ["memory/notes/init-notes.ts", "makes a new file in the folder that store-folder.ts chose"],
  ["memory/health/check-project.ts", "changes modes in the folder that store-folder.ts chose"],
  ["memory/health/check-secrets.ts", "deletes in the folder that store-folder.ts chose"],
  ["store/sqlite/database-file.ts", "deletes in the folder that store-folder.ts chose"],
  ["store/sqlite/foreign-database.ts", "copies a database that the user names"],
  ["store/sqlite/backups.ts", "writes in the folder that store-folder.ts chose"],
  ["store/sqlite/repair/repair-sqlite-store.ts", "writes in the folder that store-folder.ts chose"],
  ["store/sqlite/open-sqlite-store.ts", "writes in the folder that store-folder.ts chose"],
  ["store/postgres/connection/address.ts", "reads a file that the user names"],
  ["store/postgres/connection/connect.ts", "reads a file that the user names"],
  ["config/editing/edit-settings-file.ts", "deletes a draft that it made itself"],
  ["procedural/skill-folders.ts", "skips everything but regular files"],
  ["procedural/install-skill.ts", "deletes what it installed itself"],
  ["procedural/link-skills.ts", "deletes links that it made itself"],
  ["agents/git-changes.ts", "skips everything but regular files"],
]);

/** Functions of `node:fs` that only look neither wait nor change anything. */
const onlyLooks =
  /^(?:type .*|existsSync|l?statSync|fstatSync|readlinkSync|realpathSync|accessSync|constants)$/;

function openingImports(file: string): string[] {
  const found = /import \{([^}]*)\} from "node:fs(?:\/promises)?"/.exec(readSource(file))?.[1] ?? "";
  return found
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && !onlyLooks.test(name));
}

describe("the architecture", () => {
  const table = readTable();
  const order = [...table.keys()];
  const crossings = inRooms.flatMap((file) =>
    importsOf(file)
      .filter((imported) => imported.file.includes("/") && roomOf(imported.file) !== roomOf(file))
      .map(({ file: imported, kind }) => ({ file, from: roomOf(file), to: roomOf(imported), kind })),
  );

  it("lists the rooms that exist, and no others", () => {
    expect(order.toSorted()).toEqual([...new Set(inRooms.map(roomOf))].sort());
  });

  it("allows no import that nobody uses", () => {
    const used = new Set(
      crossings.filter(({ kind }) => kind !== "type").map(({ from, to }) => `${from} → ${to}`),
    );
    const allowed = [...table].flatMap(([room, others]) => [...others].map((other) => `${room} → ${other}`));
    expect(allowed.filter((each) => !used.has(each))).toEqual([]);
  });

  it("is kept: rooms import code only from the rooms that the table allows", () => {
    const offences = crossings
      .filter(({ from, to, kind }) => kind !== "type" && !table.get(from)?.has(to))
      .map(({ file, to }) => `${file} imports from ${to}`);
    expect(offences).toEqual([]);
  });

  it("has layers: rooms import types only from rooms above them in the table", () => {
    const offences = crossings
      .filter(({ from, to, kind }) => kind === "type" && order.indexOf(to) > order.indexOf(from))
      .map(({ file, to }) => `${file} imports a type from ${to}`);
    expect(offences).toEqual([]);
  });

  it("opens, lists, changes and deletes files of a project only in files/, which refuses links, pipes and devices", () => {
    const offences = sourceFiles
      .filter((file) => projectRooms.has(roomOf(file)) && !opensByItself.has(file))
      .flatMap((file) => openingImports(file).map((name) => `${file} imports ${name}`));
    expect(offences).toEqual([]);
    expect([...opensByItself.keys()].filter((file) => openingImports(file).length === 0)).toEqual([]);
  });

  it("re-exports only in the entries of the package", () => {
    expect(inRooms.filter((file) => /^export .* from "/m.test(readSource(file)))).toEqual([]);
  });

  it("has no file that holds two things", () => {
    expect(sourceFiles.filter((file) => readSource(file).split("\n").length > 400)).toEqual([]);
  });

  it("has no folder that cannot be taken in at a glance", () => {
    const counts = new Map<string, number>();
    const listed = sourceFiles.filter((file) => !isListedByName(file));
    for (const file of listed) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > largestFolder)).toEqual([]);
  });

  it("reads the environment in one place for each front end", () => {
    const readers = sourceFiles.filter((file) => readSource(file).includes("process.env"));
    expect(readers.sort()).toEqual([
      "cli/main.ts",
      "cli/run-cli.ts",
      // Where Node would look first, whoever asks.
      "domain/environment.ts",
      "memory/project/open-project.ts",
      // Git inherits it, with what keeps it from starting programs.
      "processes/run-git.ts",
      // The name that this machine goes by, whoever asks.
      "processes/runner.ts",
    ]);
  });
});

describe("ARCHITECTURE.md", () => {
  it("names only files and folders that exist", () => {
    const text = readFileSync(join(projectRoot, "ARCHITECTURE.md"), "utf8");
    const rooms = [...readTable().keys()].join("|");
    const named = [...text.matchAll(new RegExp(`\`((?:${rooms}|test)/[a-z0-9/.-]+)\``, "g"))].map(
      ([, path = ""]) => (path.startsWith("test/") ? path : join("src", path)),
    );
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([]);
  });
});
