import { assert, date, property } from "fast-check";
import { expect, it } from "vitest";
import { isoDate, isoTime } from "../../src/domain/clock.js";

it("says times as JavaScript itself does, of any year", () => {
  const anyTime = date({ noInvalidDate: true });
  assert(property(anyTime, (time) => isoTime(time) === time.toISOString()));
  for (const text of ["0999-12-31T23:59:59.999Z", "1000-01-01T00:00:00.000Z", "+010000-01-01T00:00:00.000Z"])
    expect(isoTime(new Date(text))).toBe(text);
});

it("says the day in UTC", () => {
  expect(isoDate(new Date("2026-03-01T00:30:00+02:00"))).toBe("2026-02-28");
});
