import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SqliteDatabase, SqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import { ralphProgram } from "../../support/run-ralph.js";
import type { Said } from "./fault-worker.js";

/** The kinds of record that are only in the database, and how to list what was written into them. */
const queries = {
  task: "SELECT description AS text FROM tasks",
  action: "SELECT params AS text FROM actions",
  attempt: "SELECT outcome AS text FROM attempts WHERE outcome IS NOT NULL",
  learning: "SELECT record AS text FROM learnings",
  handoff: "SELECT record AS text FROM handoffs",
} as const;

export type RecordKind = keyof typeof queries;
export const recordKinds = Object.keys(queries) as RecordKind[];
const kindOfOperation: Record<string, RecordKind> = {
  task: "task",
  log: "action",
  complete: "attempt",
  learning: "learning",
  handoff: "handoff",
};

export type Records = Record<RecordKind, Set<string>>;

/** Looks into a copy: a connection of this process would count as a user of the database. */
function withCopy<Result>(
  engine: SqliteEngine,
  path: string,
  look: (database: SqliteDatabase) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), "ralph-look-"));
  const copy = join(folder, "copy.db");
  try {
    copyFileSync(path, copy);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
    const database = engine.open(copy);
    try {
      return look(database);
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Markers of everything in a database; undefined if it cannot be read. */
export function readRecords(engine: SqliteEngine, path: string): Records | undefined {
  try {
    return withCopy(engine, path, (database) => {
      const entries = recordKinds.map((kind) => {
        const rows = database.prepare(queries[kind]).all() as { text: string }[];
        return [kind, new Set(rows.flatMap(({ text }) => /\b(r\d+-\d+) end/.exec(text)?.[1] ?? []))];
      });
      return Object.fromEntries(entries) as Records;
    });
  } catch {
    return undefined;
  }
}

export function integrityOf(engine: SqliteEngine, path: string): string {
  return withCopy(engine, path, (database) => {
    return (database.prepare("PRAGMA integrity_check").get() as { integrity_check: string }).integrity_check;
  });
}

/** What was acknowledged, and so has to be there. */
export function makeFaultModel(root: string) {
  const records = Object.fromEntries(recordKinds.map((kind) => [kind, new Set<string>()])) as Records;
  const notes = new Map<string, string>();
  const deleted = new Set<string>();
  const tasks: string[] = [];
  const running = new Set<string>();

  const take = ({ kind, content }: Said): void => {
    const { kind: operation, id, marker } = content;
    // Whoever changes a note and does not come back may or may not have done it.
    if (kind === "T" && (operation === "edit" || operation === "delete")) notes.delete(id);
    if (kind === "T" && operation === "complete") running.delete(id);
    if (kind !== "A") return;
    const recorded = kindOfOperation[operation];
    if (recorded !== undefined) records[recorded].add(marker);
    if (operation === "note" || operation === "edit") notes.set(id, marker);
    if (operation === "delete") deleted.add(id);
    if (operation === "task") tasks.push(id);
    if (operation === "start") running.add(id);
  };

  return {
    records,
    notes,
    tasks,
    running,
    take,
    /** After damage: what is there now is what can be expected from now on. */
    accept(present: Records) {
      for (const kind of recordKinds) {
        records[kind].clear();
        for (const marker of present[kind]) records[kind].add(marker);
      }
      tasks.length = 0;
      running.clear();
    },
    missingFrom(present: Records): Record<RecordKind, string[]> {
      return Object.fromEntries(
        recordKinds.map((kind) => [kind, [...records[kind]].filter((marker) => !present[kind].has(marker))]),
      ) as Record<RecordKind, string[]>;
    },
    /** Notes that are not in the file as acknowledged, or are there though they were deleted. */
    wrongNotes(): string[] {
      const path = join(root, ".agent", "memories.md");
      // A kill between the two names of the file leaves it to the next command.
      if (notes.size > 0 && !existsSync(path))
        execFileSync(process.execPath, [ralphProgram, "memory", "list"], {
          cwd: root,
          env: { ...process.env, RALPH_HOME: join(root, ".home") },
          stdio: "ignore",
        });
      const text = existsSync(path) ? readFileSync(path, "utf8") : "";
      return [
        ...[...notes]
          .filter(([id, marker]) => !text.includes(`### ${id}\n> note ${marker} end\n`))
          .map(([id]) => id),
        ...[...deleted].filter((id) => text.includes(`### ${id}\n`)),
      ];
    },
  };
}

export type FaultModel = ReturnType<typeof makeFaultModel>;
