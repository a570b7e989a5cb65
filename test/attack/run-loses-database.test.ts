import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runRalph } from "../support/run-ralph.js";
import { scratchRepository } from "../support/scratch.js";

/** A project with an agent that does something to the database in its second iteration, and then three more. */
async function runWithAgent(deed: string, records: number) {
  const cwd = scratchRepository();
  const ralph = (args: string[], input = "") => runRalph(args, { cwd, input, env: { RALPH_TRUST: "1" } });
  const agent = join(cwd, "agent.sh");
  writeFileSync(
    agent,
    `#!/bin/sh
cat > /dev/null
echo x >> count
echo "working on it"
if [ "$(wc -l < count)" = 2 ]; then ${deed}; fi
`,
  );
  chmodSync(agent, 0o755);
  writeFileSync(join(cwd, "ralph.yml"), `agents:\n  mine:\n    program: ${agent}\n`);
  await ralph(["task", "init", "an earlier task"]);
  await ralph(["task", "start", "task-001"]);
  const actions = Array.from({ length: records }, (_, index) => {
    const output = `${"y".repeat(1500)} ${index}`;
    return JSON.stringify({ tool: "Bash", params: { command: `step ${index}` }, success: false, output });
  });
  if (records > 0) await ralph(["task", "log", "task-001"], `${actions.join("\n")}\n`);
  // Closes the database, so that an older copy is whole.
  await ralph(["index", "rebuild"]);
  const run = await ralph(["run", "Do something", "--agent", "mine", "--max-iterations", "5"]);
  return { cwd, ralph, run, files: readdirSync(join(cwd, ".ralph")) };
}

describe("a run whose agent", () => {
  it.each([
    ["removes it", "rm -rf .ralph"],
    ["removes its log", "rm -f .ralph/memory.db-*"],
  ])("%s continues, warns, and loses nothing", async (_what, deed) => {
    const { ralph, run } = await runWithAgent(deed, 0);
    expect(run.stderr).not.toMatch(/bug in Ralph|\n {4}at /);
    expect(run.stderr).toMatch(/Warning: .*memory\.db was removed while in use/);
    expect(run.status).toBe(2);
    const history = JSON.parse((await ralph(["history", "task-002", "--json"])).stdout);
    expect(history.attempts[0].results).toHaveLength(5);
    expect((await ralph(["doctor"])).stderr).not.toContain("Problems found");
  });

  it.each([
    ["renames rubbish over it", "head -c 50000 /dev/urandom > x; mv x .ralph/memory.db"],
    ["renames an older copy over it", "cp .ralph/backups/memory-*.db x; mv x .ralph/memory.db"],
  ])("%s is warned, and ends", async (_what, deed) => {
    const { run } = await runWithAgent(deed, 0);
    expect(run.stderr).not.toMatch(/bug in Ralph|\n {4}at /);
    expect(run.stderr).toMatch(/memory\.db was replaced by another file while in use/);
    expect([0, null]).not.toContain(run.status);
  });

  it.each([
    ["empties it", ": > .ralph/memory.db"],
    ["cuts a large one", "truncate -s 40960 .ralph/memory.db"],
    [
      "overwrites a large one",
      "dd if=/dev/urandom of=.ralph/memory.db bs=4096 count=150 conv=notrunc 2>/dev/null",
    ],
  ])("%s ends with a clear message, and a repair reports what is left", async (_what, deed) => {
    const { ralph, run } = await runWithAgent(deed, 400);
    expect(run.status).not.toBeNull();
    expect(run.stderr).not.toMatch(/bug in Ralph|\n {4}at /);
    const repaired = await ralph(["doctor", "--repair"]);
    expect(repaired.stdout).toMatch(/database +.*the damaged file is kept as/);
    const history = JSON.parse((await ralph(["history", "--json"])).stdout);
    const isReported = /lost/.test(repaired.stdout);
    expect([history.length === 2, isReported]).not.toEqual([false, false]);
  });
});
