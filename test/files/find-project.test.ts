import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join, parse } from "node:path";
import { describe, expect, it } from "vitest";
import { findProject, mayHoldFolders } from "../../src/files/find-project.js";
import { git, scratchFolder, scratchRepository } from "../support/scratch.js";

const userHome = "/nowhere/.ralph";
const find = (from: string, home = userHome) => findProject(from, { userHome: home });

function commitSomething(folder: string): void {
  writeFileSync(join(folder, "file"), "x");
  git(folder, "add", ".");
  git(folder, "commit", "--quiet", "-m", "x");
}

describe("finding the project", () => {
  it("is the repository, from any folder inside", () => {
    const root = scratchRepository();
    const deep = join(root, "a", "b");
    mkdirSync(deep, { recursive: true });
    expect(find(deep)).toEqual({ root, home: root, kind: "git" });
  });

  it("has one home for all worktrees: the main one", () => {
    const main = scratchRepository();
    commitSomething(main);
    const linked = join(scratchFolder(), "linked");
    git(main, "worktree", "add", "--quiet", linked);
    expect(find(linked)).toEqual({ root: linked, home: main, kind: "git" });
  });

  it("has its home inside the git directory of a bare repository", () => {
    const source = scratchRepository();
    commitSomething(source);
    const bare = join(scratchFolder(), "project.git");
    git(source, "clone", "--quiet", "--bare", source, bare);
    const linked = join(scratchFolder(), "linked");
    git(bare, "worktree", "add", "--quiet", linked, "main");
    expect(find(linked)).toEqual({ root: linked, home: join(bare, "ralph"), kind: "bare" });
    expect(find(bare)).toEqual({ root: bare, home: join(bare, "ralph"), kind: "bare" });
  });

  it("keeps a submodule's memory apart from that of the repository around it", () => {
    const inner = scratchRepository();
    commitSomething(inner);
    const outer = scratchRepository();
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "--quiet", inner, "sub");
    const sub = join(outer, "sub");
    expect(find(sub)).toEqual({ root: sub, home: sub, kind: "git" });
  });

  it("without git is the nearest folder with a memory, else the folder itself", () => {
    const root = scratchFolder();
    const deep = join(root, "a", "b");
    mkdirSync(deep, { recursive: true });
    expect(find(deep).root).toBe(deep);
    mkdirSync(join(root, ".agent"));
    expect(find(deep)).toEqual({ root, home: root, kind: "folder" });
  });

  it("does not mistake the user's own folder for a project", () => {
    const home = scratchFolder();
    mkdirSync(join(home, ".ralph"));
    const work = join(home, "work");
    mkdirSync(work);
    expect(find(work, join(home, ".ralph")).root).toBe(work);
    expect(find(work).root).toBe(home);
  });

  it("does not take all of a machine for the project of its top folder", () => {
    const folder = scratchFolder();
    expect([mayHoldFolders(parse(folder).root), mayHoldFolders(folder)]).toEqual([false, true]);
  });

  it("does not take what somebody put into a folder that all users share for that of the folders below it", () => {
    const shared = scratchFolder();
    chmodSync(shared, 0o1777);
    const work = join(shared, "work");
    mkdirSync(join(work, "deep"), { recursive: true });
    mkdirSync(join(shared, ".agent"));
    expect(find(work).root).toBe(work);
    chmodSync(shared, 0o3775);
    expect(find(work).root).toBe(shared);
    chmodSync(shared, 0o1777);
    git(shared, "init", "--quiet");
    expect(find(work).root).toBe(shared);
    git(work, "init", "--quiet");
    expect(find(join(work, "deep")).root).toBe(work);
  });

  it.skipIf(process.getuid?.() !== 0)("does not take somebody else's repository there for it, either", () => {
    const shared = scratchRepository();
    chmodSync(shared, 0o1777);
    chownSync(join(shared, ".git"), 12345, 12345);
    const work = join(shared, "work");
    mkdirSync(work);
    expect([find(work).root, find(shared).root]).toEqual([work, shared]);
  });
});
