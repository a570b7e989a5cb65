import { describe, expect, it } from "vitest";
import { localTime, shownDay, shownTime } from "../../../src/cli/output/times.js";

const now = new Date("2026-03-20T12:00:00.000Z");
const screen = { isScreen: true };

describe("a time", () => {
  it.each([
    ["2026-03-20T11:59:30.000Z", "just now"],
    ["2026-03-20T11:59:00.000Z", "1 minute ago"],
    ["2026-03-20T09:10:00.000Z", "2 hours ago"],
    ["2026-03-18T11:00:00.000Z", "2 days ago"],
    ["2026-01-02T11:00:00.000Z", localTime(new Date("2026-01-02T11:00:00.000Z"))],
    // A clock that was set back.
    ["2026-03-21T12:00:00.000Z", localTime(new Date("2026-03-21T12:00:00.000Z"))],
    ["no time", "no time"],
  ])("of %s is %j on a screen", (iso, shown) => {
    expect(shownTime(iso, screen, now)).toBe(shown);
  });

  it("is as it was recorded, to the minute, where no person looks", () => {
    expect(shownTime("2026-03-20T11:59:30.000Z", { isScreen: false }, now)).toBe("2026-03-20T11:59");
  });
});

describe("a day", () => {
  it.each([
    ["2026-03-20", "today"],
    ["2026-03-19", "yesterday"],
    ["2026-03-15", "5 days ago"],
    ["2026-03-13", "2026-03-13"],
    ["2026-04-01", "2026-04-01"],
  ])("of %s is %j on a screen", (date, shown) => {
    expect(shownDay(date, screen, now)).toBe(shown);
    expect(shownDay(date, { isScreen: false }, now)).toBe(date);
  });
});
