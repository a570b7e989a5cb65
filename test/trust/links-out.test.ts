import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findLinksOut } from "../../src/trust/links-out.js";
import { scratchFolder } from "../support/scratch.js";

it("finds links that lead out of a folder, also to nothing and by way of others, and no others", () => {
  const [root, outside] = [scratchFolder(), scratchFolder()];
  mkdirSync(join(root, "inner"));
  writeFileSync(join(outside, "file"), "");
  symlinkSync(join(root, "inner"), join(root, "stays"));
  symlinkSync(join(outside, "file"), join(root, "leaves"));
  symlinkSync(join(outside, "nothing yet"), join(root, "leaves-to-nothing"));
  symlinkSync("leaves", join(root, "leaves-by-another"));
  const names = [
    "inner",
    "stays",
    "leaves",
    "leaves-to-nothing",
    "leaves-by-another",
    "absent",
    "absent/file",
  ];
  expect(
    findLinksOut(
      names.map((name) => join(root, name)),
      [root],
    ),
  ).toEqual([
    { name: "leaves", target: join(outside, "file") },
    { name: "leaves-to-nothing", target: join(outside, "nothing yet") },
    { name: "leaves-by-another", target: join(outside, "file") },
  ]);
});

it("counts git's own files as outside", () => {
  const root = scratchFolder();
  mkdirSync(join(root, ".git/ralph/inner"), { recursive: true });
  symlinkSync(".git/config", join(root, "link"));
  expect(findLinksOut([join(root, "link")], [root])).toHaveLength(1);
  // The memory of a bare repository is in there.
  const home = join(root, ".git/ralph");
  symlinkSync("inner", join(home, "link"));
  expect(findLinksOut([join(home, "link")], [home, root])).toEqual([]);
});
