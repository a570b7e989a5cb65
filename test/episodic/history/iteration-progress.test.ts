import { describe, expect, it } from "vitest";
import type { IterationResult } from "../../../src/domain/tasks/attempt.js";
import { progressOfEach } from "../../../src/episodic/history/iteration-progress.js";
import { tscOutput } from "../../support/open-scratch-memory.js";

/** How iterations compare that failed with these outputs and qualities. */
const progress = (...iterations: [output: string, quality?: number][]) =>
  progressOfEach(
    iterations.map(
      ([output, quality], index): IterationResult => ({
        iteration: index + 1,
        success: false,
        output,
        ...(quality !== undefined && { quality }),
      }),
    ),
  );

const cart = tscOutput("src/cart.ts", 3);
const mail = tscOutput("src/mail.ts", 8);

describe("an iteration", () => {
  it("repeats the one before when it fails alike, whatever lines, durations and quality say", () => {
    expect(progress([cart, 0.5], [tscOutput("src/cart.ts", 41), 0.5])).toEqual(["open", "repeated"]);
    expect(progress([cart, 0.75], [`${cart}done in 3.1 s`, 0.8])[1]).toBe("repeated");
    expect(progress([cart], [cart])[1]).toBe("repeated");
    expect(progress(["the gate is shut after 12 s", 0], ["the gate is shut after 1.5 s", 0])[1]).toBe(
      "repeated",
    );
  });

  it("makes progress when a failure is gone, even if another one has come", () => {
    expect(progress([cart + mail, 0], [mail, 0])[1]).toBe("progress");
    expect(progress([cart, 0], [mail, 0])[1]).toBe("progress");
    expect(progress([cart], [mail])[1]).toBe("progress");
  });

  it("makes progress when more passes, where only counts tell failures apart", () => {
    expect(progress(["12 of 20 are shut", 0.4], ["2 of 20 are shut", 0.9])[1]).toBe("progress");
  });

  it("is worse when quality falls with failures that were not there before", () => {
    expect(progress([cart, 0.6], [cart + mail, 0.3])[1]).toBe("worse");
  });

  it("is open when nothing more can be said: it is the first, or fails in other words", () => {
    expect(progress([cart])).toEqual(["open"]);
    expect(progress(["the gate is shut", 0], ["the key is lost", 0])[1]).toBe("open");
    expect(progress(["", 0], ["", 0])[1]).toBe("open");
  });

  it("is done when it succeeded, though its output may be the same", () => {
    const passed = { iteration: 2, success: true, output: cart };
    expect(progressOfEach([{ iteration: 1, success: false, output: cart }, passed])).toEqual([
      "open",
      "done",
    ]);
  });
});
