import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changesBetween, diffSince, type FileEdit, readWorkState } from "../../src/agents/git-changes.js";
import { git, put, scratchRepository } from "../support/scratch.js";

/** A repository with a committed file, and what somebody does in it. */
async function editsOf(
  work: (root: string) => void,
  { prepare = (_root: string) => {}, isCommitted = true } = {},
): Promise<FileEdit[]> {
  const root = scratchRepository();
  if (isCommitted) {
    writeFileSync(join(root, "cart.js"), "const a = 1;\nreturn a;\n");
    git(root, "add", ".");
    git(root, "commit", "--quiet", "-m", "first");
  }
  prepare(root);
  const before = await readWorkState(root);
  work(root);
  const after = await readWorkState(root);
  if (before === undefined || after === undefined) throw new Error("no state");
  return diffSince(root, before, (await changesBetween(root, before, after)).changedFiles);
}

describe("the edits of an iteration", () => {
  it("are the lines that a file lost and got", async () => {
    const edits = await editsOf((root) => writeFileSync(join(root, "cart.js"), "const a = 2;\nreturn a;\n"));
    expect(edits).toEqual([{ path: "cart.js", removed: "const a = 1;", added: "const a = 2;" }]);
  });

  it("are found after a commit by the agent, for new files, and for removed ones", async () => {
    const edits = await editsOf((root) => {
      rmSync(join(root, "cart.js"));
      put(root, "new folder/ü.txt", "hello\n");
      git(root, "add", "-A");
      git(root, "commit", "--quiet", "-m", "second");
    });
    expect(edits).toEqual([
      { path: "new folder/ü.txt", removed: "", added: "hello" },
      { path: "cart.js", removed: "const a = 1;\nreturn a;", added: "" },
    ]);
  });

  it("leave out unfinished work from before", async () => {
    const edits = await editsOf(
      (root) => {
        writeFileSync(join(root, "cart.js"), "unfinished\nreturn b;\n");
        writeFileSync(join(root, "draft.txt"), "one\ntwo\n");
      },
      {
        prepare(root) {
          writeFileSync(join(root, "cart.js"), "unfinished\nreturn a;\n");
          writeFileSync(join(root, "draft.txt"), "one\n");
        },
      },
    );
    expect(edits).toEqual([
      { path: "draft.txt", removed: "", added: "two" },
      { path: "cart.js", removed: "return a;", added: "return b;" },
    ]);
  });

  it("are known before the first commit, and from a folder below the root", async () => {
    const edits = await editsOf((root) => writeFileSync(join(root, "a.txt"), "one\nTWO\n"), {
      isCommitted: false,
      prepare: (root) => writeFileSync(join(root, "a.txt"), "one\ntwo\n"),
    });
    expect(edits).toEqual([{ path: "a.txt", removed: "two", added: "TWO" }]);

    const root = scratchRepository();
    put(root, "packages/app/a.txt", "one\n");
    git(root, "add", ".");
    git(root, "commit", "--quiet", "-m", "first");
    const folder = join(root, "packages/app");
    const before = await readWorkState(folder);
    writeFileSync(join(folder, "a.txt"), "two\n");
    if (before === undefined) throw new Error("no state");
    expect(await diffSince(folder, before, ["packages/app/a.txt"])).toEqual([
      { path: "packages/app/a.txt", removed: "one", added: "two" },
    ]);
  });

  it("name files that are binary, long or links without their content", async () => {
    const edits = await editsOf((root) => {
      writeFileSync(join(root, "image.png"), Buffer.from([137, 80, 0, 1]));
      writeFileSync(join(root, "long.csv"), "1,2,3\n".repeat(20_000));
      symlinkSync("/etc/hostname", join(root, "link"));
    });
    expect(edits.map(({ path }) => path).sort()).toEqual(["image.png", "link", "long.csv"]);
    for (const { removed, added } of edits) expect(removed + added).toBe("");
  });

  it("are clipped to a few lines, the smallest changes first", async () => {
    const edits = await editsOf((root) => {
      for (let file = 0; file < 12; file += 1)
        writeFileSync(join(root, `f${file}.txt`), "line\n".repeat(file + 1));
      writeFileSync(join(root, "lock.json"), `${"x".repeat(900)}\n`.repeat(60));
    });
    expect(edits).toHaveLength(8);
    expect(edits[0]).toEqual({ path: "f0.txt", removed: "", added: "line" });
    const lines = edits.flatMap(({ removed, added }) =>
      [removed, added].filter(Boolean).join("\n").split("\n"),
    );
    expect(lines.length).toBeLessThanOrEqual(40);
  });
});
