import { expect, it } from "vitest";
import { isoDate } from "../../src/domain/clock.js";

it("says the day in UTC", () => {
  expect(isoDate(new Date("2026-03-01T00:30:00+02:00"))).toBe("2026-02-28");
});
