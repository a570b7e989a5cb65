import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runRalph } from "../support/run-ralph.js";
import { git, scratchFolder, scratchRepository } from "../support/scratch.js";

interface Listed {
  id: string;
  content: string;
  origin?: string;
}

const block = (id: string, content: string) =>
  `\n### ${id}\n> ${content}\n<!-- tags:  | created: 2025-01-01 -->\n`;
const add = async (cwd: string, content: string) =>
  (await runRalph(["memory", "add", content, "--format", "quiet"], { cwd })).stdout.trim();
const list = async (cwd: string): Promise<Listed[]> =>
  JSON.parse((await runRalph(["memory", "list", "--json"], { cwd })).stdout);
const contents = async (cwd: string) =>
  (await list(cwd)).map(({ content, origin }) => (origin ? `${content} (${origin})` : content)).sort();

function repositoryWithWorktree(): { main: string; linked: string } {
  const main = scratchRepository();
  mkdirSync(join(main, ".agent"));
  writeFileSync(
    join(main, ".agent", "memories.md"),
    `# Memories\n\n## Patterns\n${block("mem-1-aaaa", "committed")}`,
  );
  git(main, "add", ".agent");
  git(main, "commit", "--quiet", "-m", "notes");
  const linked = join(scratchFolder(), "linked");
  git(main, "worktree", "add", "--quiet", "-b", "feature", linked);
  return { main, linked };
}

describe("worktrees of one repository", () => {
  it("say where a note was written that is not in this one", async () => {
    const { main, linked } = repositoryWithWorktree();
    const { stderr } = await runRalph(["memory", "add", "shared"], { cwd: linked });
    expect(stderr).toContain(
      `Note: written to ${join(main, ".agent", "memories.md")}, which all worktrees share`,
    );
    expect((await runRalph(["memory", "add", "own"], { cwd: main })).stderr).not.toContain("written to");
  });

  it("share one memory: what one writes the others read", async () => {
    const { main, linked } = repositoryWithWorktree();
    await add(linked, "from the worktree");
    expect(await contents(main)).toEqual(["committed", "from the worktree"]);
    expect(existsSync(join(linked, ".ralph"))).toBe(false);
    expect(readFileSync(join(linked, ".agent", "memories.md"), "utf8")).not.toContain("from the worktree");
  });

  it("read notes that only their own copy has, and say so", async () => {
    const { main, linked } = repositoryWithWorktree();
    writeFileSync(
      join(linked, ".agent", "memories.md"),
      `## Fixes\n${block("mem-2-bbbb", "of the branch")}`,
      { flag: "a" },
    );
    expect(await contents(linked)).toEqual(["committed", "of the branch (worktree)"]);
    expect(await contents(main)).toEqual(["committed"]);
    const found = JSON.parse(
      (await runRalph(["memory", "search", "branch", "--json"], { cwd: linked })).stdout,
    );
    expect(found).toEqual([
      expect.objectContaining({ id: "mem-2-bbbb", memory_type: "fix", origin: "worktree" }),
    ]);
    expect((await runRalph(["memory", "prime"], { cwd: linked })).stdout).toContain(
      "<!-- origin: worktree -->",
    );
  });

  it("do not bring back a note that was deleted", async () => {
    const { main, linked } = repositoryWithWorktree();
    expect((await runRalph(["memory", "delete", "mem-1-aaaa"], { cwd: main })).status).toBe(0);
    expect(await contents(linked)).toEqual([]);
  });

  it("delete from the shared file and from their own copy", async () => {
    const { main, linked } = repositoryWithWorktree();
    expect((await runRalph(["memory", "delete", "mem-1-aaaa"], { cwd: linked })).status).toBe(0);
    for (const root of [main, linked])
      expect(readFileSync(join(root, ".agent", "memories.md"), "utf8")).not.toContain("mem-1-aaaa");
  });

  it("edit a note where it stands", async () => {
    const { main, linked } = repositoryWithWorktree();
    writeFileSync(join(linked, ".agent", "memories.md"), block("mem-2-bbbb", "of the branch"), { flag: "a" });
    await runRalph(["memory", "edit", "mem-2-bbbb", "changed"], { cwd: linked });
    expect(readFileSync(join(linked, ".agent", "memories.md"), "utf8")).toContain("> changed\n");
    expect(readFileSync(join(main, ".agent", "memories.md"), "utf8")).not.toContain("changed");
  });

  it("keep notes to themselves with memories.scope: branch", async () => {
    const { main, linked } = repositoryWithWorktree();
    writeFileSync(join(linked, "ralph.yml"), "memories:\n  scope: branch\n");
    await add(linked, "unmerged");
    expect(await contents(linked)).toEqual(["committed", "unmerged"]);
    expect(await contents(main)).toEqual(["committed"]);
    expect(readFileSync(join(linked, ".agent", "memories.md"), "utf8")).toContain("> unmerged\n");
  });
});

describe("a bare repository", () => {
  it("keeps the memory of its worktrees beside its objects", async () => {
    const { main } = repositoryWithWorktree();
    const bare = join(scratchFolder(), "project.git");
    git(main, "clone", "--quiet", "--bare", main, bare);
    const [one, two] = ["one", "two"].map((name) => join(scratchFolder(), name)) as [string, string];
    git(bare, "worktree", "add", "--quiet", one, "main");
    git(bare, "worktree", "add", "--quiet", two, "feature");
    await add(one, "shared by all");
    expect(await contents(two)).toEqual(["committed (worktree)", "shared by all"]);
    expect(existsSync(join(bare, "ralph", ".ralph", "memory.db"))).toBe(true);
  });
});

describe("a folder without git", () => {
  it("has its own memory, which its subfolders find", async () => {
    const root = scratchFolder();
    await add(root, "no git here");
    const deep = join(root, "a", "b");
    mkdirSync(deep, { recursive: true });
    const { stdout } = await runRalph(["memory", "list", "--json"], { cwd: deep });
    expect(JSON.parse(stdout)).toHaveLength(1);
  });
});
