import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isTrackedByGit } from "../../src/trust/tracked-by-git.js";
import { git, scratchFolder } from "../support/scratch.js";

function repository(...init: string[]): string {
  const root = scratchFolder();
  git(root, "init", "--quiet", ...init);
  return root;
}

/** Without writing the files. */
function add(root: string, ...paths: string[]): void {
  const ask = (args: string[], input: string) =>
    execFileSync("git", args, { cwd: root, input, encoding: "utf8" });
  const blob = ask(["hash-object", "-w", "--stdin"], "").trim();
  ask(["update-index", "--index-info"], paths.map((path) => `100644 ${blob} 0\t${path}\n`).join(""));
}

const neighbours = [
  "-dash",
  ".agent/memories.md",
  ".ralph.yml",
  ".ralphish/x",
  "src/.ralph/memory.db",
  "zebra",
];

describe.each([
  ["as usual", [], []],
  ["with compressed names", [], ["update-index", "--index-version", "4"]],
  ["with SHA-256", ["--object-format=sha256"], []],
  ["in two files", [], ["update-index", "--split-index"]],
] as const)("git's index %s", (_kind, init, convert) => {
  const prepare = (...paths: string[]) => {
    const root = repository(...init);
    add(root, ...paths);
    if (convert.length > 0) git(root, ...convert);
    return root;
  };

  it("tells that a folder is tracked", () => {
    expect(isTrackedByGit(join(prepare(...neighbours, ".ralph/memory.db"), ".ralph"))).toBe(true);
  });

  it("tells that only others like it are", () => {
    expect(isTrackedByGit(join(prepare(...neighbours), ".ralph"))).toBe(false);
  });

  it("may be longer than what is read of it first", () => {
    const many = Array.from({ length: 1500 }, (_, index) => `.a-folder-with-a-name/file-${index}`);
    expect(isTrackedByGit(join(prepare(...many, ".ralph/memory.db"), ".ralph"))).toBe(true);
    expect(isTrackedByGit(join(prepare(...many), ".ralph"))).toBe(false);
  });
});

describe("a folder", () => {
  it("is not tracked where nothing is", () => {
    expect(isTrackedByGit(join(repository(), ".ralph"))).toBe(false);
    expect(isTrackedByGit(join(scratchFolder(), ".ralph"))).toBe(false);
  });

  it("is tracked as a link to another folder", () => {
    const root = repository();
    mkdirSync(join(root, "data"));
    writeFileSync(join(root, "data", "memory.db"), "");
    symlinkSync("data", join(root, ".ralph"));
    git(root, "add", ".ralph");
    expect(isTrackedByGit(join(root, ".ralph"))).toBe(true);
    git(root, "rm", "--quiet", "--cached", ".ralph");
    expect(isTrackedByGit(join(root, ".ralph"))).toBe(false);
    git(root, "add", "data");
    expect(isTrackedByGit(join(root, ".ralph"))).toBe(true);
  });

  it("is tracked as a submodule, and in a repository of its own", () => {
    const inner = join(repository(), ".ralph");
    mkdirSync(inner);
    git(inner, "init", "--quiet");
    expect(isTrackedByGit(inner)).toBe(false);
    writeFileSync(join(inner, "memory.db"), "");
    git(inner, "add", "memory.db");
    expect(isTrackedByGit(inner)).toBe(true);
    const root = repository();
    const someCommit = "0123456789abcdef0123456789abcdef01234567";
    git(root, "update-index", "--add", "--cacheinfo", `160000,${someCommit},.ralph`);
    expect(isTrackedByGit(join(root, ".ralph"))).toBe(true);
  });

  it("is not tracked for a rule about itself", () => {
    const root = repository();
    add(root, ".ralph/.gitignore");
    expect(isTrackedByGit(join(root, ".ralph"))).toBe(false);
  });

  it("is tracked also by a repository around the one that it seems to be in", () => {
    const root = repository();
    add(root, "Deep/Looks-bare/ralph/.ralph/memory.db");
    const inner = join(root, "Deep/Looks-bare/ralph/.ralph");
    mkdirSync(inner, { recursive: true });
    expect(isTrackedByGit(inner)).toBe(true);
    expect(isTrackedByGit(join(root, "Deep/.ralph"))).toBe(false);
  });

  it("is tracked also in another case, which is the same folder on many systems", () => {
    const root = repository();
    add(root, ".Ralph/memory.db");
    expect(isTrackedByGit(join(root, ".ralph"))).toBe(true);
  });

  it("is not tracked where git's directory is gone, as in a worktree that is mounted alone", () => {
    const root = scratchFolder();
    writeFileSync(join(root, ".git"), `gitdir: ${join(root, "nowhere")}\n`);
    expect(isTrackedByGit(join(root, ".ralph"))).toBe(false);
  });

  it("counts as tracked when the index cannot be read", () => {
    const root = repository();
    writeFileSync(join(root, ".git/index"), "DIRC nonsense");
    expect(isTrackedByGit(join(root, ".ralph"))).toBe(true);
  });
});
