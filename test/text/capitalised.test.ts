import { expect, it } from "vitest";
import { capitalised } from "../../src/text/capitalised.js";

it.each([
  ["editing a.ts was not enough", "Editing a.ts was not enough"],
  ["still to solve: TS2322", "Still to solve: TS2322"],
  ["don't mock the clock", "Don't mock the clock"],
  ["re-run the check", "Re-run the check"],
  ["attempt 1, by Ines", "Attempt 1, by Ines"],
])("a sentence begins with a capital: %s", (text, expected) => {
  expect(capitalised(text)).toBe(expected);
});

it.each([
  "packages/shared needs a build",
  "vite.config.ts sets the root",
  "useEffect runs twice",
  "snake_case is used",
  "`npm ci` fails",
  "npm ci fails",
  "x86 only",
  "$HOME is not set",
  "--force is needed",
  "",
])("a path, a name or code stays as it is: %j", (text) => {
  expect(capitalised(text)).toBe(text);
});
