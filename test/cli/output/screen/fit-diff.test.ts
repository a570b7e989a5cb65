import { expect, it } from "vitest";
import { fitDiff } from "../../../../src/cli/output/terminal/wrap.js";

it("a long line of a diff goes on in lines that have its sign", () => {
  const diff = "settings.json (new)\n  {\n+   a command with many words in it\n- gone\n";
  expect(fitDiff(diff, 20)).toBe(
    "settings.json (new)\n  {\n+   a command with\n+   many words in it\n- gone\n",
  );
});
