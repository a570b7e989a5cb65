import { describe, expect, it } from "vitest";
import { openMeter, spentOf } from "../../src/loop/loop-context.js";

const used = (inputTokens: number, outputTokens: number, costUsd?: number) => ({
  inputTokens,
  outputTokens,
  ...(costUsd !== undefined && { costUsd }),
});

describe("the meter", () => {
  it("begins with nothing, and knows no cost", () => {
    expect(openMeter().total()).toEqual({ inputTokens: 0, outputTokens: 0 });
    expect(openMeter().iterations()).toBe(0);
  });

  it("takes what an agent says in all, not what it says in addition", () => {
    const meter = openMeter();
    meter.note(used(10, 1));
    meter.note(used(25, 4));
    expect(meter.total()).toEqual(used(25, 4));
  });

  it("adds up the runs of the agent, and counts none twice", () => {
    const meter = openMeter();
    meter.note(used(10, 1, 0.25));
    meter.settle();
    meter.settle();
    meter.note(used(5, 2, 0.5));
    expect(meter.total()).toEqual(used(15, 3, 0.75));
    meter.settle();
    expect(meter.total()).toEqual(used(15, 3, 0.75));
  });

  it("keeps a cost that one run told when another does not", () => {
    const meter = openMeter();
    meter.note(used(10, 1, 0.25));
    meter.settle();
    meter.note(used(5, 2));
    expect(meter.total()).toEqual(used(15, 3, 0.25));
  });

  it("counts iterations, after those that were there before", () => {
    const meter = openMeter(3);
    meter.countIteration();
    expect(meter.iterations()).toBe(4);
  });

  it("tells what was spent in all, with what was spent before an interruption", () => {
    const meter = openMeter();
    expect(spentOf({ meter, spentBeforeUsd: 0.5 })).toBe(0.5);
    meter.note(used(1, 1, 0.25));
    expect(spentOf({ meter, spentBeforeUsd: 0.5 })).toBe(0.75);
  });
});
