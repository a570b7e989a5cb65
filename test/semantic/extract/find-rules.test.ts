import { describe, expect, it } from "vitest";
import { findRules } from "../../../src/semantic/extract/find-rules.js";

const programs = ["npm", "pnpm", "pytest", "git", "docker"];

describe("what a person says to an agent", () => {
  it.each([
    ["no, use pnpm instead of npm", "Use pnpm instead of npm"],
    ["Never edit the files in src/generated.", "Never edit the files in src/generated"],
    ["always run `make lint` before you commit", "Always run `make lint` before you commit"],
    ["we don't mock the database in integration tests", "We don't mock the database in integration tests"],
    [
      "Looks good. In this repo we squash commits before merging!",
      "In this repo we squash commits before merging",
    ],
    ["don't run npm test, use `npm run test:unit`", "Don't run npm test, use `npm run test:unit`"],
    [
      "you should always quote the shell variables in scripts/",
      "You should always quote the shell variables in scripts/",
    ],
    ["Remember that staging uses Postgres 14", "Remember that staging uses Postgres 14"],
    [
      "From now on, answer in German and keep the code in English",
      "From now on, answer in German and keep the code in English",
    ],
    ["please use pytest -x, not the whole suite", "Use pytest -x, not the whole suite"],
    ["we use tabs here, not spaces", "We use tabs here, not spaces"],
    [
      "you have to run git through the wrapper in tools/, it signs",
      "You have to run git through the wrapper in tools/, it signs",
    ],
    ["We use date-fns, moment is forbidden", "We use date-fns, moment is forbidden"],
  ])("is a rule: %s", (prompt, rule) => {
    expect(findRules(prompt, programs)).toEqual([rule]);
  });

  it.each([
    "no",
    "no, that's wrong",
    "never mind, forget it please",
    "use the blue one instead",
    "use a darker shade instead of this grey",
    "it never works on my machine when I click it",
    "the build always fails with this error on CI",
    "use the old handler for now, not the new one",
    "don't do that, I already did it",
    "I never use npm, why did you?",
    "do we always need npm instead of pnpm?",
    "make the second column wider, not the first",
    "always when I scroll the header flickers",
    "we use this font in print as well so it has to be exact",
    "we have a bug in the checkout",
    "is that so? we never configured that in nginx",
    "we want a button that resets the form",
    "we only need the first three columns",
    "we use this page a lot",
    "always",
    "Error: you must never call setState in render\n    at render (src/app.js:1:1)",
    "> always quote your sources\nwhat do you think of that?",
    "```\nnever push to main, always open a pull request\n```\nexplain this text",
    "run the tests again, not only the first file",
    "add a test that never finishes and see what happens",
    "always show the total in the header",
    `${"Here is the whole specification. ".repeat(100)} Always use HTTPS for the API.`,
  ])("is none: %s", (prompt) => {
    expect(findRules(prompt, programs)).toEqual([]);
  });
});
