import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Settings } from "../../src/config/default-settings.js";
import { prepareRun, type RunRequest } from "../../src/loop/start/prepare-run.js";
import { openMemory } from "../../src/memory/open-memory.js";
import { scratchFolder } from "../support/scratch.js";

let root: string;
const environment = { PATH: process.env.PATH };
const prepare = async (wishes: RunRequest, settings: Partial<Settings> = {}) => {
  const overrides = { agents: { own: { program: "./agent.sh" } }, ...settings };
  const memory = await openMemory({
    root,
    environment: { RALPH_HOME: join(root, ".home"), RALPH_TRUST: "1" },
    overrides,
  });
  onTestFinished(() => memory.close());
  return prepareRun(wishes, memory, environment);
};

beforeEach(() => {
  root = scratchFolder();
  writeFileSync(join(root, "agent.sh"), "#!/bin/sh\n");
  chmodSync(join(root, "agent.sh"), 0o755);
});

describe("a run", () => {
  it("is as it is set, where nothing is said", async () => {
    const { options, agent } = await prepare(
      {},
      { "run.verify": ["true"], "run.timeout": "2h", "run.attempts": 4 },
    );
    expect(options).toMatchObject({ agent: "own", verify: ["true"], timeoutMs: 7_200_000, attempts: 4 });
    expect(options).not.toHaveProperty("maxCostUsd");
    expect(agent.program).toBe(join(root, "agent.sh"));
  });

  it("is as it is said, whatever is set", async () => {
    const { options } = await prepare(
      {
        verify: ["true", "echo ok"],
        maxIterations: 3,
        timeout: "90s",
        iterationTimeout: "10m",
        maxCostUsd: "2.50",
        isCrossTask: false,
      },
      { "run.verify": ["false"], "run.timeout": "2h", "cross_task_learning.enabled": true },
    );
    expect(options).toMatchObject({
      verify: ["true", "echo ok"],
      maxIterations: 3,
      timeoutMs: 90_000,
      iterationTimeoutMs: 600_000,
      maxCostUsd: 2.5,
      isCrossTask: false,
    });
  });

  it.each<[RunRequest, RegExp]>([
    [{ maxIterations: 0 }, /--max-iterations takes a whole number/],
    [{ attempts: -1 }, /--attempts takes a whole number/],
    [{ attempts: 1.5 }, /--attempts takes a whole number/],
    [{ timeout: "soon" }, /--timeout .*"soon"/],
    [{ timeout: "-1s" }, /--timeout .*"-1s"/],
    [{ timeout: "0" }, /--timeout .*"0"/],
    [{ iterationTimeout: "" }, /--iteration-timeout .*""/],
    [{ maxCostUsd: "0" }, /--max-cost .*"0"/],
    [{ maxCostUsd: "-2" }, /--max-cost .*"-2"/],
    [{ maxCostUsd: "much" }, /--max-cost .*"much"/],
    [{ maxCostUsd: " " }, /--max-cost .*" "/],
    [{ maxCostUsd: "Infinity" }, /--max-cost .*"Infinity"/],
    [{ memory: "plenty" }, /plenty/],
    [{ memory: "-1" }, /-1/],
    [{ agent: "owl" }, /owl/],
    [{ verify: ["no-such-program-here --all"] }, /no-such-program-here/],
    [{ verify: ["true", "./no-such-script.sh"] }, /no-such-script/],
    [{ verify: ["if then"] }, /Cannot run the verification "if then"/],
    [{ verify: [""] }, /Cannot run the verification ""/],
  ])("is refused with %j", async (wishes, message) => {
    await expect(prepare(wishes)).rejects.toMatchObject({
      code: "wrong-use",
      message: expect.stringMatching(message),
    });
  });
});
