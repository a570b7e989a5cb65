import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadSqliteEngine, type SqliteDatabase } from "../../src/store/sqlite/sqlite-driver.js";
import { openScratchMemory } from "../support/open-scratch-memory.js";
import { scratchFolder } from "../support/scratch.js";
import { describeLayout, dump, take, write } from "./layout-contract.js";

const engine = await loadSqliteEngine();
const layout = "claude-mem" as const;
const root = "/home/dev/parcel";
const epochMs = Date.parse("2026-02-01T10:00:00Z");

const observationColumns =
  "memory_session_id, project, type, title, subtitle, narrative, facts, concepts, files_read, files_modified, created_at, created_at_epoch, text";

/** Tables as its versions since schema 17 have them; later ones have further columns. */
function fill(database: SqliteDatabase, narrative = "Summed as floats; now integers."): void {
  database.exec(`
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, content_session_id TEXT, memory_session_id TEXT, project TEXT,
      user_prompt TEXT, custom_title TEXT, status TEXT, started_at TEXT, started_at_epoch INTEGER, completed_at TEXT, completed_at_epoch INTEGER);
    CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT, subtitle TEXT,
      facts TEXT, narrative TEXT, concepts TEXT, files_read TEXT, files_modified TEXT, created_at TEXT, created_at_epoch INTEGER);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT, investigated TEXT,
      learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT, created_at TEXT, created_at_epoch INTEGER);
    CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, prompt_text TEXT);
    INSERT INTO user_prompts VALUES (1, 'never imported');
    INSERT INTO sdk_sessions VALUES (1, 'c1', 's1', 'parcel', 'Fix it', NULL, 'completed', '2026-02-01T10:00:00Z', ${epochMs}, NULL, ${epochMs + 1000});
    INSERT INTO session_summaries VALUES (1, 's1', 'parcel', 'Fix the invoice tests', NULL, 'Floats made totals drift', 'Integer pennies',
      'Convert old invoices', '[]', 'bare.ts', NULL, '', ${epochMs + 500});`);
  const add = database.prepare(
    `INSERT INTO observations (${observationColumns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const row = (session: string, project: string, type: string, title: string, told: string | null) =>
    add.run(
      session,
      project,
      type,
      title,
      null,
      told,
      '["a fact"]',
      "bare",
      "[]",
      '["src/a.ts"]',
      "",
      epochMs,
      null,
    );
  row("s1", "parcel", "bugfix", "Totals drift", narrative);
  row("s1", "parcel", "decision", "Amounts are pennies", "Everywhere.");
  row("s1", "parcel", "feature", "Added receipts", null);
  row("manual-parcel", "parcel", "discovery", "Deploys run at noon", null);
  row("s9", "elsewhere", "discovery", "Of another project", null);
  add.run("s0", "parcel", "discovery", null, null, null, null, null, null, null, "", epochMs, "An old row");
}

function databaseOf(narrative?: string): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "ralph-test-"));
  const path = join(folder, "claude-mem.db");
  const database = engine.open(path);
  fill(database, narrative);
  database.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
}

describeLayout({
  layout,
  root,
  files: { "claude-mem.db": databaseOf() },
  counts: { task: 2, learning: 4, note: 1, link: 1 },
  found: [
    "Totals drift",
    "Amounts are pennies",
    "Deploys run at noon",
    "An old row",
    "Fix the invoice tests",
  ],
  saying: (text) => ({ "claude-mem.db": databaseOf(text) }),
});

describe("a database of claude-mem", () => {
  it("brings sessions with their work and their end, of this project alone", async () => {
    const memory = await openScratchMemory();
    const report = await take(memory, { layout, root }, write({ "claude-mem.db": databaseOf() }));
    expect(report.leftOut).toEqual([
      "claude-mem.db: project elsewhere with 1 observation (--only elsewhere)",
    ]);
    expect(await memory.tasks.history("task-001", { isFull: true })).toMatchObject({
      ...{ description: "Fix the invoice tests", status: "completed" },
      attempts: [
        {
          actions: [{ tool: "bugfix" }, { tool: "decision" }, { tool: "feature" }],
          artifacts_produced: ["src/a.ts"],
          context: { files_involved: ["bare.ts", "src/a.ts"] },
          outcome: { what_worked: ["Integer pennies"], suggestions_for_next_time: ["Convert old invoices"] },
        },
      ],
    });
    expect(JSON.stringify(await dump(memory))).not.toContain("never imported");
    const other = await take(memory, { layout, root }, write({ "claude-mem.db": databaseOf() }), {
      only: ["elsewhere"],
    });
    expect(other.counts).toEqual({ learning: { added: 1 } });
  });

  it("is read while another program has it open, with what is only in its log, and left as it is", async () => {
    const memory = await openScratchMemory();
    const folder = scratchFolder();
    const database = engine.open(join(folder, "claude-mem.db"));
    onTestFinished(() => database.close());
    database.exec("PRAGMA journal_mode = WAL");
    fill(database);
    database.exec("BEGIN IMMEDIATE");
    const before = readdirSync(folder);
    const report = await take(memory, { layout, root }, folder);
    expect(report.counts.task).toEqual({ added: 2 });
    expect(readdirSync(folder)).toEqual(before);
  });

  it("of an early version is read by the columns that it has", async () => {
    const memory = await openScratchMemory();
    const folder = scratchFolder();
    const database = engine.open(join(folder, "claude-mem.db"));
    database.exec(`
      CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY, claude_session_id TEXT, sdk_session_id TEXT, project TEXT, user_prompt TEXT,
        started_at TEXT, started_at_epoch INTEGER, status TEXT);
      CREATE TABLE observations (id INTEGER PRIMARY KEY, sdk_session_id TEXT, project TEXT, text TEXT, type TEXT, created_at TEXT, created_at_epoch INTEGER);
      INSERT INTO sdk_sessions VALUES (1, 'c', 's', 'parcel', 'Fix it', '2025-02-01T10:00:00Z', ${epochMs}, 'active');
      INSERT INTO observations VALUES (1, 's', 'parcel', 'Amounts are pennies', 'decision', '', ${epochMs});`);
    database.close();
    const report = await take(memory, { layout, root }, folder);
    expect(report.counts).toEqual({ task: { added: 1 }, learning: { added: 1 } });
  });

  it("is refused if it is damaged, or something else", async () => {
    const memory = await openScratchMemory();
    const cut = databaseOf().subarray(0, 5000);
    await expect(take(memory, { layout, root }, write({ "claude-mem.db": cut }))).rejects.toThrow(
      /claude-mem\.db cannot be read as a database/,
    );
    const text = write({ "claude-mem.db": "no database at all, but some text that goes on for a while" });
    await expect(take(memory, { layout, root }, text)).rejects.toThrow(/cannot be read as a database/);
    expect(await dump(memory)).toEqual([]);
  });
});
