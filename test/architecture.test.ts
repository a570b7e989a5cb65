import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { importsOf, projectRoot, readSource, sourceFiles } from "./support/source-imports.js";

/** The table in ARCHITECTURE.md: a room, an arrow, and the rooms it may import from. */
function readTable(): Map<string, Set<string>> {
  const text = readFileSync(join(projectRoot, "ARCHITECTURE.md"), "utf8");
  const table = /```imports\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
  const rows = table.split("\n").filter((line) => line.includes("→"));
  return new Map(
    rows.map((line) => {
      const [room = "", allowed = ""] = line.split("→").map((side) => side.trim());
      return [room, new Set(allowed.split(/\s+/).filter(Boolean))];
    }),
  );
}

const roomOf = (file: string) => file.split("/")[0] ?? "";
const inRooms = sourceFiles.filter((file) => file.includes("/"));
const largestFolder = 16;
/** They are numbered, and there is one more with each change to the tables. */
const isMigration = (file: string) => /^store\/migrations\/\d/.test(file);

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

  it("re-exports only in the entries of the package", () => {
    expect(inRooms.filter((file) => /^export .* from "/m.test(readSource(file)))).toEqual([]);
  });

  it("has no file that holds two things", () => {
    expect(sourceFiles.filter((file) => readSource(file).split("\n").length > 400)).toEqual([]);
  });

  it("has no folder that cannot be taken in at a glance", () => {
    const counts = new Map<string, number>();
    const listed = sourceFiles.filter((file) => !isMigration(file));
    for (const file of listed) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > largestFolder)).toEqual([]);
  });

  it("loads the parts of Node that take milliseconds where they are used, not with the file", () => {
    const slow =
      /^import (?!type\b)[^;]*"node:(?:child_process|crypto|http|https|net|stream|tls|zlib)(?:\/\w+)?";$/m;
    expect(sourceFiles.filter((file) => slow.test(readSource(file)))).toEqual([]);
  });

  it("reads the environment in one place for each front end", () => {
    const readers = sourceFiles.filter((file) => readSource(file).includes("process.env"));
    expect(readers.sort()).toEqual([
      "cli/run-cli.ts",
      "cli/start/load-code.ts",
      // Where Node would look first, whoever asks.
      "domain/home-folder.ts",
      "memory/project-session.ts",
      // The name that this machine goes by, whoever asks.
      "processes/host-name.ts",
      // Git inherits it, with what keeps it from starting programs.
      "processes/run-git.ts",
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
