import { describe, expect, it } from "vitest";
import { parseDuration, renderDuration } from "../../src/domain/duration.js";

describe("a duration", () => {
  it.each([
    ["90s", 90_000],
    ["30m", 1_800_000],
    ["2h", 7_200_000],
    ["1d", 86_400_000],
    ["1h30m", 5_400_000],
    ["1H 30M", 5_400_000],
    ["0.5s", 500],
    ["45", 45_000],
    [45, 45_000],
  ])("reads %j", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "soon", "2 weeks", "-5m", "0", "0s", "5m later", "h", "1e9d", "NaN", "Infinity"])(
    "refuses %j with an example",
    (text) => {
      expect(() => parseDuration(text)).toThrow(/must be a duration such as "90s"/);
    },
  );

  it("refuses what is too long for a timer", () => {
    expect(() => parseDuration("25d")).toThrow(/at most/);
    expect(parseDuration("24d")).toBe(24 * 86_400_000);
  });

  it.each([
    [0, "0s"],
    [-5, "0s"],
    [45_400, "45s"],
    [59_900, "1m"],
    [725_000, "12m 5s"],
    [5_400_000, "1h 30m"],
    [90_000_000, "1d 1h"],
  ])("shows %d ms as %s", (ms, text) => {
    expect(renderDuration(ms)).toBe(text);
  });
});
