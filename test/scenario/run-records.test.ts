import { describe, expect, it } from "vitest";
import { loopRepository } from "../support/scripted-agent.js";

const check = ["--verify", "grep -q good work.txt"];

describe.concurrent("what the agent said", () => {
  it("is kept for each iteration, without secrets, and history shows it", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const { run, json, ralph } = loopRepository(
      `[ $n = 1 ] && echo 'I looked around with ${token}.' && exit 0
       echo good > work.txt; echo 'Now it is good.'`,
    );
    expect((await run(["Make work.txt good", ...check])).status).toBe(0);
    const { attempts } = await json(["history", "task-001"]);
    expect(attempts[0].results.map(({ said }: { said: string }) => said)).toEqual([
      expect.stringMatching(/^I looked around with .*redacted.*\.$/i),
      "Now it is good.",
    ]);
    expect(JSON.stringify(attempts)).not.toContain(token);
    const { stdout } = await ralph(["history", "task-001"]);
    expect(stdout).toContain("Agent, iteration 2: Now it is good.\n");
  });

  it("is clipped in the middle when it is long", async () => {
    const { run, json } = loopRepository(
      `echo good > work.txt; echo BEGIN; i=0; while [ $i -lt 900 ]; do echo "line $i of a long story"; i=$((i + 1)); done; echo END`,
    );
    expect((await run(["Make work.txt good", ...check])).status).toBe(0);
    const { attempts } = await json(["history", "task-001"]);
    const [{ said }] = attempts[0].results;
    expect(said).toMatch(/^BEGIN\n[\s\S]*characters left out[\s\S]*\nEND$/);
    expect(said.length).toBeLessThan(5000);
  });
});

describe.concurrent("an agent that does not end normally", () => {
  it("is recorded with the reason, and one that does has none", async () => {
    const { run, json } = loopRepository("[ $n = 1 ] && exit 3; echo good > work.txt");
    expect((await run(["Make work.txt good", ...check])).status).toBe(0);
    const { attempts } = await json(["history", "task-001"]);
    expect(attempts[0].results[0].trouble).toBe("the agent exited with code 3");
    expect(attempts[0].results[1]).not.toHaveProperty("trouble");
  });
});
