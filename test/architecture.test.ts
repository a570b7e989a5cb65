import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");
const source = join(root, "src");

/** The table in ARCHITECTURE.md: a room, an arrow, and the rooms it may import from. */
function readTable(): Map<string, Set<string>> {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const table = /```imports\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
  const rows = table.split("\n").filter((line) => line.includes("→"));
  return new Map(
    rows.map((line) => {
      const [room = "", allowed = ""] = line.split("→").map((side) => side.trim());
      return [room, new Set(allowed.split(/\s+/).filter(Boolean))];
    }),
  );
}

const files = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => join(source, name));

function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, path = ""]) =>
    resolve(dirname(file), path),
  );
}

const roomOf = (path: string) => relative(source, path).split("/")[0] ?? "";

describe("the architecture", () => {
  const table = readTable();

  it("lists the rooms that exist, and no others", () => {
    const rooms = new Set(files.map(roomOf).filter((room) => !room.endsWith(".ts")));
    expect([...table.keys()].sort()).toEqual([...rooms].sort());
  });

  it("allows no import that nobody uses", () => {
    const used = new Set(
      files.flatMap((file) => importsOf(file).map((path) => `${roomOf(file)} → ${roomOf(path)}`)),
    );
    const allowed = [...table].flatMap(([room, others]) => [...others].map((other) => `${room} → ${other}`));
    expect(allowed.filter((each) => !used.has(each))).toEqual([]);
  });

  it("is kept: rooms import only from the rooms that the table allows", () => {
    const offences = files.flatMap((file) => {
      const room = roomOf(file);
      if (room.endsWith(".ts")) return [];
      return importsOf(file)
        .map(roomOf)
        .filter((other) => other !== room && !other.endsWith(".js") && !table.get(room)?.has(other))
        .map((other) => `${relative(root, file)} imports from ${other}`);
    });
    expect(offences).toEqual([]);
  });

  it("re-exports only in src/index.ts", () => {
    const offenders = files.filter(
      (file) => file !== join(source, "index.ts") && /^export .* from "/m.test(readFileSync(file, "utf8")),
    );
    expect(offenders).toEqual([]);
  });

  it("has no file that holds two things", () => {
    const long = files.filter((file) => readFileSync(file, "utf8").split("\n").length > 400);
    expect(long).toEqual([]);
  });

  it("reads the environment in one place for each front end", () => {
    const readers = files
      .filter((file) => readFileSync(file, "utf8").includes("process.env"))
      .map((file) => relative(source, file));
    expect(readers.sort()).toEqual(["cli/compile-cache.ts", "cli/run-cli.ts", "memory/open-memory.ts"]);
  });
});
