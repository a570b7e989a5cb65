import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Learning } from "../../../src/domain/knowledge/learning.js";
import { checksumOf, recordChecksum } from "../../../src/semantic/records/checksum.js";
import { loadSqliteEngine } from "../../../src/store/sqlite/sqlite-driver.js";
import { entries, openScratchMemory } from "../../support/open-scratch-memory.js";
import { scratchFolder } from "../../support/scratch.js";

const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`;
const password = "correcthorse77";

/** A project that stored secrets before they could be redacted: in its files, its records and its backup. */
async function projectWithSecrets() {
  const memory = await openScratchMemory();
  const { root } = memory.project;
  await memory.notes.add({ content: "a plain note" });
  await memory.tasks.init({ description: "Deploy with a token" });
  await memory.tasks.start("task-001");
  await memory.tasks.log("task-001", entries({ tool: "Bash", params: { command: "make" }, output: "made" }));
  await memory.tasks.complete("task-001", { outcome: "success" });
  await memory.close();
  const engine = await loadSqliteEngine();
  const path = join(root, ".ralph/memory.db");
  const database = engine.open(path);
  const packed = [{ tool: "Bash", params: { env: { DB_PASSWORD: password } }, output: secret }];
  database.prepare("UPDATE tasks SET description = ?").run(`Deploy with ${secret}`);
  database.prepare("UPDATE actions SET params = ?").run(JSON.stringify({ command: "make", password }));
  database
    .prepare("INSERT INTO packed_actions (attempt_key, content) SELECT attempt_key, ? FROM attempts")
    .run(deflateRawSync(JSON.stringify(packed)));
  database
    .prepare("INSERT INTO settings_cache VALUES ('x.yml', '1', ?)")
    .run(JSON.stringify({ token: secret }));
  const learning = {
    ...{ id: "learn-0a1b2c3d4e5f", type: "strategy", taskType: "deploy", confidence: 1, successRate: 1 },
    ...{ useCount: 0, createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
    ...{ sourceLoops: [], content: { description: `The token is ${secret}` } },
  } as unknown as Learning;
  database
    .prepare(
      "INSERT INTO learnings VALUES (1, ?, 'strategy', 'deploy', 'y', 1, 1, 0, 1, '2026', '2026', NULL, ?, ?)",
    )
    .run(learning.id, JSON.stringify(learning), recordChecksum(learning));
  database.exec(`VACUUM INTO '${join(root, ".ralph/backups/memory-2026-01-01.db")}'`);
  // A deleted record stays in the file until its page is used again.
  database.prepare("INSERT INTO deleted_notes VALUES (?, 'now')").run(`x ${secret}`.repeat(500));
  database.exec("DELETE FROM deleted_notes");
  database.close();
  const notes = join(root, ".agent/memories.md");
  writeFileSync(notes, `${readFileSync(notes, "utf8")}\r\nby hand:  DB_PASSWORD=${password}  \r\n`);
  mkdirSync(join(root, ".agent/skills/deploy"), { recursive: true });
  writeFileSync(
    join(root, ".agent/skills/deploy/SKILL.md"),
    Buffer.concat([Buffer.from(`Use ${secret} `), Buffer.from([0xff, 10])]),
  );
  writeFileSync(join(root, ".agent/CONTINUITY.md"), `Now: ${secret}\n`);
  const backup = { checksum: checksumOf([learning]), learnings: [learning] };
  writeFileSync(join(root, ".ralph/backups/learnings-2026.json"), JSON.stringify(backup));
  writeFileSync(join(root, ".ralph/run.log"), `token ${secret}\n`);
  return { root, reopened: await openScratchMemory({ root }) };
}

function leaks(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile())
    .filter((path) => [secret, password].some((each) => readFileSync(path).includes(each)))
    .map((path) => path.slice(root.length + 1));
}

describe("doctor --secrets", () => {
  it("tells kinds and places, and changes nothing", async () => {
    const { root, reopened: memory } = await projectWithSecrets();
    const before = leaks(root);
    const { isHealthy, checks } = await memory.checkHealth({ secrets: "find" });
    const details = checks.filter(({ part }) => part === "secrets").map(({ detail }) => detail);
    expect(isHealthy).toBe(false);
    expect(details).toEqual([
      expect.stringMatching(/^\.agent\/memories\.md, line \d+: credential$/),
      ".agent/CONTINUITY.md, line 1: github-token",
      ".agent/skills/deploy/SKILL.md, line 1: github-token",
      ".ralph/backups/learnings-2026.json, line 1: github-token",
      ".ralph/run.log, line 1: github-token",
      "database, tasks.description, 1 record: github-token",
      "database, actions.params, 1 record: credential",
      "database, packed_actions.content, 1 record: credential, github-token",
      "database, learnings.record, 1 record: github-token",
      expect.stringMatching(/^database, settings_cache\.content, 1 record: github-token/),
      expect.stringContaining(".ralph/backups/memory-2026-01-01.db: "),
      expect.stringContaining("ralph doctor --secrets --redact"),
    ]);
    expect(details.join("\n")).not.toMatch(new RegExp(`${secret}|${password}`));
    const files = (each: string[]) => each.filter((name) => !name.includes("memory.db"));
    expect(files(leaks(root))).toEqual(files(before));
  });

  it("replaces them everywhere, in deleted pages and backups as well, and keeps all other bytes", async () => {
    const { root, reopened: memory } = await projectWithSecrets();
    await memory.notes.add({ content: "a note, at which the file with the secret is replaced" });
    writeFileSync(join(root, ".ralph/memory.db.damaged-2"), `no database, but ${secret}`);
    const before = readFileSync(join(root, ".agent/memories.md"), "utf8");
    const done = await memory.checkHealth({ secrets: "redact" });
    expect(done.checks.filter(({ part, status }) => part === "secrets" && status !== "repaired")).toEqual([
      expect.objectContaining({ detail: expect.stringContaining("memory.db.damaged-2: github-token") }),
      expect.objectContaining({ status: "warning", detail: expect.stringContaining("Git's history") }),
    ]);
    rmSync(join(root, ".ralph/memory.db.damaged-2"));
    expect(leaks(root)).toEqual([]);
    expect(readFileSync(join(root, ".agent/memories.md"), "utf8")).toBe(
      before.replace(password, "[redacted:credential]"),
    );
    expect([...readFileSync(join(root, ".agent/skills/deploy/SKILL.md"))].slice(-2)).toEqual([0xff, 10]);
    const task = await memory.tasks.history("task-001");
    expect(task.description).toBe("Deploy with [redacted:github-token]");
    const { checks } = await memory.checkHealth({ secrets: "find" });
    expect(checks.filter(({ part }) => part === "secrets")).toEqual([
      { part: "secrets", status: "ok", detail: expect.stringContaining("none found") },
    ]);
    expect(checks.find(({ part }) => part === "learnings")?.status).toBe("ok");
    expect(readdirSync(join(root, ".ralph/backups")).filter((name) => name.endsWith(".db"))).toHaveLength(1);
    const backup = JSON.parse(readFileSync(join(root, ".ralph/backups/learnings-2026.json"), "utf8"));
    expect(checksumOf(backup.learnings)).toBe(backup.checksum);
    await memory.close();
    expect(leaks(root)).toEqual([]);
  });
});

describe("doctor --secrets of what is large", () => {
  const largeBytes = 17 * 1024 * 1024;

  async function secretsFound(root: string) {
    const memory = await openScratchMemory({ root });
    const { checks } = await memory.checkHealth({ secrets: "find" });
    return checks.filter(({ part }) => part === "secrets").map(({ status, detail }) => [status, detail]);
  }

  async function projectWithTask(): Promise<string> {
    const memory = await openScratchMemory();
    await memory.tasks.init({ description: "Deploy" });
    await memory.close();
    return memory.project.root;
  }

  it("looks into a database that was kept, whatever its size, also by an earlier version", async () => {
    const root = await projectWithTask();
    const kept = join(root, ".ralph/memory.db.damaged-2026-06-01T12-00-00-000Z");
    copyFileSync(join(root, ".ralph/memory.db"), kept);
    const database = (await loadSqliteEngine()).open(kept);
    database.prepare("UPDATE tasks SET description = ?, constraints = ?").run(secret, " ".repeat(largeBytes));
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    expect(await secretsFound(root)).toEqual([
      ["failed", expect.stringContaining("memory.db.damaged-2026-06-01T12-00-00-000Z: github-token")],
      ["warning", expect.stringContaining("--redact")],
    ]);
  });

  it("says which files it did not search", async () => {
    const root = await projectWithTask();
    for (const name of ["run.log", "memory.db.damaged-1"]) {
      writeFileSync(join(root, ".ralph", name), secret);
      truncateSync(join(root, ".ralph", name), largeBytes);
    }
    expect(await secretsFound(root)).toEqual([
      ["warning", ".ralph/run.log is too large to be searched"],
      ["warning", ".ralph/memory.db.damaged-1 is too large to be searched"],
      ["ok", expect.stringContaining("none found elsewhere")],
    ]);
  });
});

it("leaves files alone that a link of the project leads to", async () => {
  const memory = await openScratchMemory();
  const outside = scratchFolder();
  writeFileSync(join(outside, "key"), secret);
  await memory.notes.add({ content: "a plain note" });
  for (const name of ["skills", "skills-drafts"])
    symlinkSync(outside, join(memory.project.root, ".agent", name));
  const health = await memory.checkHealth({ secrets: "redact" });
  expect(health.isHealthy).toBe(true);
  expect(readFileSync(join(outside, "key"), "utf8")).toBe(secret);
});
