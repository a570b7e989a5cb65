import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type BuildCopy, copyBuildForEverybody } from "../support/copy-build.js";
import { runRalph } from "../support/run-ralph.js";
import { sampleNotes } from "../support/sample-notes.js";
import { scratchRepository } from "../support/scratch.js";

let cwd: string;
const ralph = (args: string[]) => runRalph(args, { cwd });
const file = () => join(cwd, ".agent", "memories.md");

beforeEach(() => {
  cwd = scratchRepository();
  mkdirSync(join(cwd, ".agent"));
  writeFileSync(file(), sampleNotes);
});

/** Permissions mean nothing to root, so root acts as somebody else here. */
describe("without permission", () => {
  const isRoot = process.getuid?.() === 0;
  const uid = isRoot ? 65_534 : (process.getuid?.() ?? 0);
  let build: BuildCopy | undefined;
  beforeAll(() => {
    if (isRoot) build = copyBuildForEverybody();
  });
  afterAll(() => build?.remove());
  const asSomebody = (args: string[]) =>
    runRalph(args, { cwd, ...(isRoot && { uid }), ...(build && { build }) });

  function giveAway(path: string): void {
    if (isRoot) execFileSync("chown", ["-R", `${uid}:${uid}`, path]);
  }

  it("a read-only file stays as it is", async () => {
    giveAway(cwd);
    chmodSync(file(), 0o444);
    const { status, stderr } = await asSomebody(["memory", "add", "x"]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Error: Permission denied: .*memories\.md/)]);
    expect(readFileSync(file()).equals(sampleNotes)).toBe(true);
  });

  it("a file that cannot be read is named", async () => {
    giveAway(cwd);
    chmodSync(file(), 0o000);
    const { status, stderr } = await asSomebody(["memory", "list"]);
    chmodSync(file(), 0o600);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^Error: Permission denied: .*memories\.md/)]);
  });

  it("notes in a folder that cannot be written are read all the same, and not written", async () => {
    giveAway(cwd);
    chmodSync(cwd, 0o555);
    chmodSync(join(cwd, ".agent"), 0o555);
    const { status, stdout, stderr } = await asSomebody(["memory", "search", "database refused", "--json"]);
    const adding = await asSomebody(["memory", "add", "x"]);
    chmodSync(join(cwd, ".agent"), 0o755);
    chmodSync(cwd, 0o755);
    expect([status, stderr]).toEqual([0, expect.stringContaining("is not writable")]);
    expect(JSON.parse(stdout)[0].id).toBe("mem-1737390000-g7h8");
    expect([adding.status, adding.stderr]).toEqual([1, expect.stringMatching(/^Error: Permission denied/)]);
  });

  it("a folder of records that may not be entered is named, and is not taken for a missing one", async () => {
    await ralph(["task", "init", "x"]);
    giveAway(cwd);
    const records = join(cwd, ".ralph");
    chmodSync(records, 0o000);
    const answers = [];
    for (const command of ["history", "history task-001", "memory list", "status", "task start task-001"])
      answers.push(await asSomebody(command.split(" ")));
    const doctor = await asSomebody(["doctor"]);
    chmodSync(records, 0o700);
    for (const { status, stderr } of answers)
      expect([status, stderr]).toEqual([
        1,
        expect.stringMatching(/^Error: Permission denied: .*\.ralph\S* \(check/),
      ]);
    expect(doctor.stdout).toMatch(/^✗ database +Permission denied: .*\.ralph /m);
  });
});
