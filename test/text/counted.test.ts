import { expect, it } from "vitest";
import { counted, listed } from "../../src/text/counted.js";

it("one thing is named in the singular, several or none in the plural", () => {
  expect([0, 1, 2].map((count) => counted(count, "note"))).toEqual(["0 notes", "1 note", "2 notes"]);
  expect([[7], [7, 8]].map((numbers) => listed(numbers, "process", "processes"))).toEqual([
    "process 7",
    "processes 7, 8",
  ]);
});
