import { expect, it } from "vitest";
import { isVague } from "../../../src/semantic/extract/statements.js";

it.each([
  "Read the code first",
  "I kept the changes small and ran the tests often",
  "Followed the existing structure of the neighbouring module",
  "Debugging step by step helped",
  "Took a while, then it worked",
  "Check everything twice",
  "In this attempt, I was unsuccessful.",
  "In this environment, my plan was to find shelf 3 and then to use `take`",
  "I was stuck in a loop between shelf 1 and shelf 2",
])("what is true of any project is vague: %s", (statement) => {
  expect(isVague(statement)).toBe(true);
});

it.each([
  "Run `make proto` before the tests",
  "packages/shared needs a build first",
  "Set TZ=UTC for the date tests",
  "The staging certificate expires every Monday",
  "Use --runInBand on the small runners",
  "The importer expects semicolons, not commas",
  "Money is kept in cents, never as a fraction",
  "I was missing the `--frozen` flag",
])("what names something of the project is not: %s", (statement) => {
  expect(isVague(statement)).toBe(false);
});
