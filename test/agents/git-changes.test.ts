import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changesBetween, readWorkState, type WorkState } from "../../src/agents/git-changes.js";
import { git, put, scratchFolder, scratchRepository } from "../support/scratch.js";

async function stateOf(root: string): Promise<WorkState> {
  const state = await readWorkState(root);
  if (state === undefined) throw new Error("no state");
  return state;
}

function repository(): string {
  const root = scratchRepository();
  writeFileSync(join(root, "a.txt"), "one");
  git(root, "add", ".");
  git(root, "commit", "--quiet", "-m", "first");
  return root;
}

/** What an iteration changed. */
async function changes(root: string, work: () => void) {
  const before = await stateOf(root);
  work();
  return changesBetween(root, before, await stateOf(root));
}

describe("what changed in a repository", () => {
  it("is nothing when nothing did, also with unfinished work", async () => {
    const root = repository();
    writeFileSync(join(root, "a.txt"), "unfinished");
    expect(await changes(root, () => undefined)).toEqual({
      changedFiles: [],
      commit: undefined,
      hasChanged: false,
    });
  });

  it("is each file that was changed, added or removed", async () => {
    const root = repository();
    writeFileSync(join(root, "old.txt"), "before");
    const found = await changes(root, () => {
      rmSync(join(root, "a.txt"));
      put(root, "new folder/ü.txt", "x");
      writeFileSync(join(root, "old.txt"), "after");
      symlinkSync("nowhere", join(root, "link"));
    });
    expect(found).toMatchObject({
      changedFiles: ["a.txt", "link", "new folder/ü.txt", "old.txt"],
      hasChanged: true,
      commit: undefined,
    });
  });

  it("notices a second change of a file that was unfinished already, and its way back", async () => {
    const root = repository();
    const clean = await stateOf(root);
    writeFileSync(join(root, "a.txt"), "two");
    expect((await changes(root, () => writeFileSync(join(root, "a.txt"), "six"))).changedFiles).toEqual([
      "a.txt",
    ]);
    expect((await changes(root, () => writeFileSync(join(root, "a.txt"), "one"))).hasChanged).toBe(true);
    expect((await stateOf(root)).digest).toBe(clean.digest);
  });

  it("includes commits and what they hold", async () => {
    const root = repository();
    writeFileSync(join(root, "unfinished.txt"), "x");
    const found = await changes(root, () => {
      writeFileSync(join(root, "b.txt"), "b");
      git(root, "add", ".");
      git(root, "commit", "--quiet", "-m", "second");
    });
    expect(found.changedFiles).toEqual(["b.txt", "unfinished.txt"]);
    expect(found.commit).toBe(git(root, "rev-parse", "HEAD").trim());
  });

  it("includes the first commit of all", async () => {
    const root = scratchRepository();
    const found = await changes(root, () => {
      put(root, ".ralph/x", "b");
      writeFileSync(join(root, "b.txt"), "b");
      git(root, "add", ".");
      git(root, "commit", "--quiet", "-m", "first");
    });
    expect(found).toMatchObject({ changedFiles: ["b.txt"], hasChanged: true });
    expect(found.commit).toMatch(/^[0-9a-f]{40}/);
  });

  it("is nothing when work was only staged", async () => {
    const root = repository();
    writeFileSync(join(root, "a.txt"), "two");
    writeFileSync(join(root, "b.txt"), "new");
    expect(await changes(root, () => git(root, "add", "."))).toMatchObject({
      changedFiles: [],
      hasChanged: false,
    });
  });

  it("includes files in conflict, and those that are only staged", async () => {
    const root = repository();
    git(root, "checkout", "--quiet", "-b", "other");
    writeFileSync(join(root, "a.txt"), "other");
    git(root, "commit", "--quiet", "-am", "other");
    git(root, "checkout", "--quiet", "main");
    writeFileSync(join(root, "a.txt"), "main");
    git(root, "commit", "--quiet", "-am", "main");
    const found = await changes(root, () => {
      expect(() => git(root, "merge", "other")).toThrow();
      writeFileSync(join(root, " b \n c"), "x");
      git(root, "add", " b \n c");
    });
    expect(found.changedFiles).toEqual([" b \n c", "a.txt"]);
  });

  it("leaves out the memory's own files", async () => {
    const root = repository();
    const found = await changes(root, () => {
      for (const folder of [".ralph", ".agent"]) {
        put(root, `${folder}/x`, "1");
      }
    });
    expect(found).toMatchObject({ changedFiles: [], hasChanged: false });
  });

  it("is told by paths from the top, in a folder below it too", async () => {
    const root = repository();
    mkdirSync(join(root, "sub"));
    const sub = join(root, "sub");
    const before = await stateOf(sub);
    writeFileSync(join(sub, "x.txt"), "1");
    writeFileSync(join(root, "a.txt"), "2");
    const middle = await stateOf(sub);
    expect((await changesBetween(sub, before, middle)).changedFiles).toEqual(["a.txt", "sub/x.txt"]);
    writeFileSync(join(sub, "x.txt"), "3");
    expect((await changesBetween(sub, middle, await stateOf(sub))).changedFiles).toEqual(["sub/x.txt"]);
  });

  it("is unknown outside of a repository", async () => {
    expect(await readWorkState(scratchFolder())).toBeUndefined();
  });
});
