import { describe, expect, it } from "vitest";
import { scaleCapacity, type WindowOptions } from "../../../src/episodic/reflections/reflection-window.js";
import { entries, openScratchMemory } from "../../support/open-scratch-memory.js";

async function failTimes(memory: Awaited<ReturnType<typeof openScratchMemory>>, times: number) {
  await memory.tasks.init({ description: "a" });
  for (let attempt = 1; attempt <= times; attempt += 1) {
    await memory.tasks.start("task-001");
    await memory.tasks.complete("task-001", { outcome: "failure", reason: `reason ${attempt}` });
  }
}

describe("the window of reflections", () => {
  it.each([
    ["simple", 1],
    ["moderate", 3],
    ["complex", 5],
    ["maximum", 10],
    ["4", 4],
    [0, 0],
  ])("is as wide as %j says", async (memoryOption, size) => {
    const memory = await openScratchMemory();
    await failTimes(memory, 12);
    const started = await memory.tasks.start("task-001", { memory: memoryOption });
    expect(started.reflections).toHaveLength(size);
    expect(started.memoryCapacity).toBe(size);
  });

  it("keeps every reflection, whatever its width, and takes its width from the settings", async () => {
    const memory = await openScratchMemory({
      settings: "memory_config:\n  default_capacity: 2\n  presets:\n    complex: 4\n",
    });
    await failTimes(memory, 6);
    expect((await memory.tasks.start("task-001")).reflections).toHaveLength(2);
    await memory.tasks.complete("task-001", { outcome: "failure", reason: "reason 7" });
    expect((await memory.tasks.start("task-001", { memory: "complex" })).reflections).toHaveLength(4);
    expect((await memory.tasks.history("task-001")).reflections).toHaveLength(7);
  });

  it("holds what a failure taught after attempts that taught nothing", async () => {
    const memory = await openScratchMemory();
    await memory.tasks.init({ description: "a" });
    const end = async (result: Parameters<typeof memory.tasks.complete>[1]) => {
      await memory.tasks.start("task-001");
      await memory.tasks.complete("task-001", result);
    };
    await end({ outcome: "failure", output: "src/cart.ts(3,7): error TS2345: Argument of type 'string'.\n" });
    for (const _ of [1, 2, 3]) await end({ outcome: "timeout" });
    const { planText, reflections } = await memory.tasks.start("task-001");
    expect(planText).toContain("TS2345");
    expect(reflections).toHaveLength(1);
  });

  it("leaves out what older versions recorded without a lesson, and repeats nothing", async () => {
    const old = await openScratchMemory();
    await failTimes(old, 2);
    const history = await old.tasks.history("task-001");
    const [first] = history.reflections;
    const empty = { observation: "Attempt 3 ran out of time", analysis: "", learning: "", action_items: [] };
    const memory = await openScratchMemory();
    await memory.tasks.restore([
      {
        ...history,
        reflections: [
          ...history.reflections,
          ...[3, 4, 5].map((attempt) => ({ ...first, ...empty, attempt_id: attempt })),
          { ...first, attempt_id: 6 },
        ] as typeof history.reflections,
      },
    ]);
    const { reflections } = await memory.tasks.start("task-001");
    expect(reflections.map(({ attempt_id, learning }) => [attempt_id, learning])).toEqual([
      [2, "reason 2"],
      [6, "reason 1"],
    ]);
  });

  it.each(["complx", "-1", "1.5", -1, 0.5])("refuses %j", async (memoryOption) => {
    const memory = await openScratchMemory();
    await failTimes(memory, 1);
    await expect(memory.tasks.start("task-001", { memory: memoryOption })).rejects.toMatchObject({
      code: "wrong-use",
    });
    expect((await memory.tasks.history("task-001")).total_attempts).toBe(1);
  });

  it("is scaled by results when that is enabled, each change with its reason", async () => {
    const memory = await openScratchMemory({
      settings: "memory_config:\n  auto_scaling:\n    enabled: true\n",
    });
    await failTimes(memory, 4);
    const { memory_capacity_changes: changes } = await memory.tasks.history("task-001");
    expect(changes).toMatchObject([
      { attempt_id: 2, from: 3, to: 5, reason: "consecutive_failures: 2 in a row" },
      { attempt_id: 4, from: 5, to: 10, reason: "consecutive_failures: 4 in a row" },
    ]);
    expect((await memory.tasks.start("task-001")).memoryCapacity).toBe(10);
    await memory.tasks.log(
      "task-001",
      entries(
        { iteration: 1, outcome: "success", quality: 0.9 },
        { iteration: 2, outcome: "success", quality: 0.85 },
        { iteration: 3, outcome: "success", quality: 0.9 },
      ),
    );
    const after = await memory.tasks.history("task-001");
    expect(after.memory_capacity_changes.at(-1)).toMatchObject({
      from: 10,
      to: 5,
      reason: "high_quality_maintained: 3 of 0.8 or more",
    });
  });

  it("stays as it is by default", async () => {
    const memory = await openScratchMemory();
    await failTimes(memory, 6);
    expect((await memory.tasks.history("task-001")).memory_capacity_changes).toEqual([]);
  });
});

describe("scaling", () => {
  const options: WindowOptions = {
    defaultCapacity: 3,
    presets: { simple: 1, moderate: 3, complex: 5, maximum: 10 },
    autoScaling: {
      enabled: true,
      scaleUpOn: ["consecutive_failures", "low_quality_scores"],
      scaleDownOn: ["high_quality_maintained", "fast_convergence"],
    },
  };
  const results = (...qualities: number[]) => qualities.map((quality) => ({ isSuccess: true, quality }));

  it.each([
    ["widens on low quality", 3, results(0.4, 0.3), 5],
    ["narrows on fast convergence", 5, results(0.4, 0.9), 3],
    ["narrows on sustained quality", 3, results(0.8, 0.8, 0.9), 1],
    ["does nothing on middling quality", 3, results(0.6, 0.7), undefined],
    ["does nothing without results", 3, [], undefined],
    ["cannot go above the widest", 10, results(0.1, 0.1), undefined],
    ["cannot go below the narrowest", 1, results(0.9, 0.9, 0.9), undefined],
  ])("%s", (_name, capacity, performances, expected) => {
    expect(scaleCapacity(capacity, performances, options)?.capacity).toBe(expected);
  });

  it("looks only at what it is told to look at", () => {
    const narrowOnly = { ...options, autoScaling: { ...options.autoScaling, scaleUpOn: [] } };
    expect(scaleCapacity(3, results(0.1, 0.1), narrowOnly)).toBeUndefined();
  });
});
