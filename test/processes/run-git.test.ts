import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runGit } from "../../src/processes/run-git.js";
import { git, scratchFolder } from "../support/scratch.js";

it("does not call git where a configuration is too large to be looked through", async () => {
  const [root, ran] = [scratchFolder(), join(scratchFolder(), "ran")];
  git(root, "init", "--quiet");
  writeFileSync(join(root, ".gitattributes"), "*.txt filter=evil\n");
  writeFileSync(join(root, "a.txt"), "one\n");
  git(root, "add", "--all");
  writeFileSync(join(root, "a.txt"), "two\n");
  git(root, "config", "filter.evil.clean", `touch ${ran}; cat`);
  const folded = `[z "${"q".repeat(1000)}"]\n${"\tk\n".repeat(70_000)}`;
  writeFileSync(join(root, ".git/large"), folded);
  appendFileSync(join(root, ".git/config"), "[include]\n\tpath = large\n");
  expect(await runGit(root, "diff", "--stat")).toBeUndefined();
  expect(existsSync(ran)).toBe(false);
});
