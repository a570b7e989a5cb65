import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ralphProgram } from "../support/run-ralph.js";
import { linesOf, loopRepository } from "../support/scripted-agent.js";

const ralph = `"${process.execPath}" "${ralphProgram}"`;
const work = "echo $n >> work.txt; echo '<promise>COMPLETE</promise>'";
const twice = ["Work twice", "--verify", "grep -q 2 work.txt"];

describe.concurrent("an agent that meddles with the memory while it is run", () => {
  it("cannot say that its own task is completed, or paused", async () => {
    const { cwd, run, json } = loopRepository(
      `${ralph} task complete $RALPH_TASK --outcome success 2>> refused.txt
       ${ralph} task pause $RALPH_TASK 2>> refused.txt
       ${work}`,
    );
    const { status, lines } = await run(twice);
    expect(linesOf(lines, "iteration-ended").map(({ verdict }) => verdict)).toEqual(["failed", "completed"]);
    expect(status).toBe(0);
    const refused = readFileSync(join(cwd, "refused.txt"), "utf8");
    expect(refused.match(/task-001 is being run by process \d+ on/g)).toHaveLength(4);
    expect(await json(["history", "task-001"])).toMatchObject({ status: "completed" });
  });

  it.each(["rm -f .ralph/memory.db", "rm -f .ralph/memory.db*", "rm -rf .ralph"])(
    "loses nothing with %s",
    async (harm) => {
      const { run, json, ralph: command } = loopRepository(`${harm}\n${work}`);
      expect((await command(["memory", "add", "kept in Markdown"])).status).toBe(0);
      const { status, stderr } = await run(twice);
      expect(stderr).toMatch(/memory\.db was removed while in use and has been restored/);
      expect(status).toBe(0);
      const history = await json(["history", "task-001"]);
      expect(history.status).toBe("completed");
      expect(history.attempts[0].results).toHaveLength(2);
      expect((await command(["memory", "search", "kept"])).stdout).toContain("kept in Markdown");
      expect((await command(["doctor"])).status).toBe(0);
    },
  );

  it("is run to its end under the settings that it spoils", async () => {
    const { cwd, run, ralph: command } = loopRepository(`echo "agents: 5" > ralph.yml\n${work}`);
    const { status, stderr } = await run(twice);
    expect(status).toBe(0);
    expect(stderr.match(/the block "agents" must contain keys; keeping the previous settings/g)).toHaveLength(
      1,
    );
    expect((await command(["memory", "list"])).status).toBe(2);
    rmSync(join(cwd, "ralph.yml"));
    writeFileSync(join(cwd, "ralph.yml"), "");
    expect((await command(["history"])).stdout).toMatch(/task-001 +completed/);
  });
});
