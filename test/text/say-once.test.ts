import { expect, it } from "vitest";
import { sayOnce } from "../../src/text/say-once.js";

it("a line that nearly repeats an earlier one is left out", () => {
  const lines = [
    "- Attempt 2: Editing cart.ts did not help: TS2322 at cart.ts:9: Type 'string' is not assignable",
    "- TS2322 at cart.ts:4: Type 'string' is not assignable",
    "- TS2322 at order.ts:4: Type 'Date' is not iterable",
    "- Run npm test",
    "- Run npm test",
  ];
  expect(sayOnce(lines)).toEqual([lines[0], lines[2], lines[3], lines[4]]);
});

it("a line that was told before is left out", () => {
  const told = "- [learn-1] Start the database first: connect ECONNREFUSED 127.0.0.1:5432";
  expect(sayOnce(["connect ECONNREFUSED 127.0.0.1:5432: start the database", "other"], [told])).toEqual([
    "other",
  ]);
});
