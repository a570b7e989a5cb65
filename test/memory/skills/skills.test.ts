import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { RalphError } from "../../../src/domain/ralph-error.js";
import type { Notice } from "../../../src/memory/notice.js";
import { openMemory } from "../../../src/memory/open-memory.js";
import { openScratchMemory } from "../../support/open-scratch-memory.js";
import { git, scratchFolder, scratchRepository } from "../../support/scratch.js";

const text = (name: string, rest = "") =>
  `---\nname: ${name}\ndescription: Does ${name}\n---\n# ${name}\n${rest}`;

function write(path: string, content: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const skillAt = (root: string, name: string, content: string | Buffer = text(name)) =>
  write(join(root, ".agent/skills", name, "SKILL.md"), content);

async function listWithNotices(root: string) {
  const notices: Notice[] = [];
  const memory = await openMemory({
    root,
    environment: { RALPH_HOME: join(root, ".home") },
    onNotice: (notice) => notices.push(notice),
  });
  const names = (await memory.skills.list()).map(({ name }) => name);
  await memory.close();
  return { names, told: notices.flatMap((notice) => ("message" in notice ? [notice.message] : [])) };
}

describe("finding skills", () => {
  it("reads every usable one, tells of the others, and creates nothing", async () => {
    const root = scratchRepository();
    const outside = write(join(scratchFolder(), "out/SKILL.md"), text("out"));
    skillAt(root, "good");
    skillAt(root, "bare", "# Skill: Bare\n");
    skillAt(root, "broken", "---\nname: [\n---\n");
    skillAt(root, "renamed", text("other"));
    skillAt(root, "My Skill");
    skillAt(root, "binary", Buffer.from([0x23, 0x00, 0xff, 0xfe]));
    skillAt(root, "big", Buffer.alloc(10 * 1024 * 1024, "a"));
    symlinkSync(dirname(outside), join(root, ".agent/skills/out"));
    mkdirSync(join(root, ".agent/skills/linked"));
    symlinkSync(outside, join(root, ".agent/skills/linked/SKILL.md"));
    symlinkSync("good", join(root, ".agent/skills/alias"));
    mkdirSync(join(root, ".agent/skills/empty"));
    const { names, told } = await listWithNotices(root);
    expect(names).toEqual(["bare", "good"]);
    expect(
      told.map((message) => message.replaceAll(root, "R").replaceAll(dirname(dirname(outside)), "O")),
    ).toEqual([
      'R/.agent/skills/My Skill/SKILL.md: Invalid skill name: "My Skill"',
      "R/.agent/skills/alias/SKILL.md: The skill is named good, but its folder is named alias",
      "A skill file may have up to 1 MB; R/.agent/skills/big/SKILL.md has 10.0 MB",
      "Not a UTF-8 text file: R/.agent/skills/binary/SKILL.md",
      expect.stringMatching(/^R\/.agent\/skills\/broken\/SKILL.md: The front matter is not YAML: line/),
      "R/.agent/skills/linked/SKILL.md points outside R, to O/out/SKILL.md",
      "R/.agent/skills/out/SKILL.md points outside R, to O/out/SKILL.md",
      "R/.agent/skills/renamed/SKILL.md: The skill is named other, but its folder is named renamed",
    ]);
    expect(existsSync(join(root, ".ralph"))).toBe(false);
    expect(existsSync(join(root, ".home"))).toBe(false);
  });

  it("leaves a bad one to its author, whatever is wrong with it, and uses the others", async () => {
    const root = scratchRepository();
    skillAt(root, "good");
    skillAt(root, "alias", "---\nname: alias\ndescription: *x\n---\n");
    skillAt(root, "map", "---\nname: map\ndescription: {toString: 1}\n---\n");
    write(join(root, ".agent/skills/file.txt"), "x");
    for (const [name, target] of Object.entries({ loop: "loop", plain: "file.txt", gone: "nowhere" }))
      symlinkSync(target, join(root, ".agent/skills", name));
    const { names, told } = await listWithNotices(root);
    expect(names).toEqual(["good"]);
    expect(told).toEqual(
      ["alias", "gone", "loop", "map", "plain"].map((name) => expect.stringContaining(`skills/${name}`)),
    );
    const memory = await openScratchMemory({ root });
    expect((await memory.skills.match("does good")).map(({ name }) => name)).toEqual(["good"]);
    expect(await memory.skills.link({ to: ["x"] })).toHaveLength(1);
    for (const name of ["alias", "loop", "map", "plain", "gone"]) {
      const source = join(root, ".agent/skills", name);
      await expect(memory.skills.add(source, { force: true })).rejects.toBeInstanceOf(RalphError);
    }
  });

  it("says so if a file is where the folder of skills or links should be", async () => {
    const root = scratchRepository();
    write(join(root, ".agent/skills"), "x");
    expect(await listWithNotices(root)).toEqual({
      names: [],
      told: [`Expected a directory, found a file: ${join(root, ".agent/skills")}`],
    });
    const memory = await openScratchMemory({ root });
    const fresh = write(join(scratchFolder(), "fresh.md"), text("fresh"));
    const expected = { code: "file-unusable", message: expect.stringContaining("Expected a directory") };
    await expect(memory.skills.add(fresh)).rejects.toMatchObject(expected);
    await expect(memory.skills.get("fresh")).rejects.toMatchObject(expected);
    rmSync(join(root, ".agent/skills"));
    skillAt(root, "good");
    write(join(root, "file"), "x");
    await expect(memory.skills.link({ to: ["file/x"] })).rejects.toMatchObject(expected);
    await expect(memory.skills.link({ to: ["file"] })).rejects.toMatchObject(expected);
  });

  it.each(["../good", "/etc", "a/b", "", "A", "a_b", "-a", "x".repeat(65)])(
    "refuses the name %j",
    async (name) => {
      const memory = await openScratchMemory();
      await expect(memory.skills.get(name)).rejects.toThrow("Invalid skill name");
    },
  );

  it("suggests the nearest name, or says that there is a draft", async () => {
    const root = scratchRepository();
    skillAt(root, "deploy");
    write(join(root, ".agent/skills-drafts/waiting/SKILL.md"), text("waiting"));
    const memory = await openScratchMemory({ root });
    await expect(memory.skills.get("deplyo")).rejects.toMatchObject({
      hint: expect.stringContaining('"deploy"'),
    });
    await expect(memory.skills.get("waiting")).rejects.toThrow("waiting is only a draft");
  });

  it("reads a worktree's own skills before those that all worktrees share", async () => {
    const root = scratchRepository();
    git(root, "commit", "--quiet", "--allow-empty", "-m", "x");
    const worktree = join(scratchFolder(), "tree");
    git(root, "worktree", "add", "--quiet", worktree);
    skillAt(root, "shared");
    skillAt(root, "both");
    skillAt(worktree, "both", text("both", "own\n"));
    skillAt(worktree, "own");
    const memory = await openScratchMemory({ root: worktree });
    expect((await memory.skills.list()).map(({ name, origin }) => [name, origin])).toEqual([
      ["both", "worktree"],
      ["own", "worktree"],
      ["shared", "project"],
    ]);
    const added = await memory.skills.add(write(join(scratchFolder(), "fresh.md"), text("fresh")));
    expect(added.path).toBe(join(root, ".agent/skills/fresh/SKILL.md"));
    await memory.skills.add(write(join(scratchFolder(), "both.md"), text("both", "new\n")), { force: true });
    expect((await memory.skills.get("both")).text).toContain("new");
  });
});

describe("adding a skill", () => {
  it("copies its bytes and the plain files beside it, and overwrites only when told to", async () => {
    const memory = await openScratchMemory();
    const { root } = memory.project;
    const from = join(scratchFolder(), "deploy");
    const content = `\u{feff}${text("deploy", "odd \r\n bytes")}`;
    write(join(from, "SKILL.md"), content);
    write(join(from, "scripts/run.sh"), "#!/bin/sh\n");
    chmodSync(join(from, "scripts/run.sh"), 0o755);
    symlinkSync("/etc/passwd", join(from, "secret"));
    expect(await memory.skills.add(from)).toEqual({
      name: "deploy",
      description: "Does deploy",
      path: join(root, ".agent/skills/deploy/SKILL.md"),
      files: ["SKILL.md", "scripts/run.sh"],
      skipped: ["secret"],
      redacted: [],
    });
    expect(readFileSync(join(root, ".agent/skills/deploy/SKILL.md"), "utf8")).toBe(content);
    expect(statSync(join(root, ".agent/skills/deploy/scripts/run.sh")).mode & 0o100).toBe(0o100);
    expect(existsSync(join(root, ".agent/skills/deploy/secret"))).toBe(false);
    await expect(memory.skills.add(from)).rejects.toMatchObject({ code: "already-exists" });
    write(join(root, ".agent/skills/deploy/mine.txt"), "mine");
    write(join(from, "SKILL.md"), text("deploy", "second\n"));
    await memory.skills.add(from, { force: true });
    expect((await memory.skills.get("deploy")).text).toContain("second");
    expect(readFileSync(join(root, ".agent/skills/deploy/mine.txt"), "utf8")).toBe("mine");
    expect(existsSync(join(root, ".ralph"))).toBe(false);
  });

  it("redacts secrets in the copy, and in what is told of a skill that a person wrote", async () => {
    const memory = await openScratchMemory();
    const { root } = memory.project;
    const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`;
    const from = join(scratchFolder(), "deploy");
    write(join(from, "SKILL.md"), text("deploy", `Use ${secret}\n`));
    write(join(from, "run.sh"), `export API_TOKEN=${secret}\n`);
    expect((await memory.skills.add(from)).redacted).toEqual(["github-token"]);
    for (const name of ["SKILL.md", "run.sh"])
      expect(readFileSync(join(root, ".agent/skills/deploy", name), "utf8")).not.toContain(secret);
    const own = join(root, ".agent/skills/release/SKILL.md");
    write(own, `---\nname: release\ndescription: Release the app with ${secret}\n---\nUse ${secret}\n`);
    const told = [
      await memory.skills.list(),
      await memory.skills.get("release"),
      await memory.skills.match("release the app"),
    ];
    expect(JSON.stringify(told)).toContain("[redacted:github-token]");
    expect(JSON.stringify(told)).not.toContain(secret);
    expect(readFileSync(own, "utf8")).toContain(secret);
  });

  it("gives front matter to a file in the published form, whose text stays", async () => {
    const memory = await openScratchMemory();
    const sample = readFileSync(
      join(import.meta.dirname, "../../fixtures/skills/published-sample.md"),
      "utf8",
    );
    const { name } = await memory.skills.add(write(join(scratchFolder(), "api-implementation.md"), sample));
    expect(name).toBe("api-implementation");
    expect((await memory.skills.get(name)).text).toBe(
      `---\nname: api-implementation\ndescription: API Endpoint Implementation\n---\n\n${sample}`,
    );
    const titled = await memory.skills.add(write(join(scratchFolder(), "SKILL.md"), sample));
    expect(titled.name).toBe("api-endpoint-implementation");
  });

  it.each<[string, string | Buffer, RegExp]>([
    ["deploy/SKILL.md", text("other"), /The skill is named other, but its folder is named deploy/],
    ["deploy/SKILL.md", "---\nname: {\n---\n", /not YAML/],
    ["deploy/SKILL.md", "---\nname: deploy\n---\n", /no description/],
    ["deploy/SKILL.md", "---\nname: deploy\ndescription: Deploys\n# Deploy\n", /not closed/],
    ["deploy/SKILL.md", "\n", /SKILL\.md: The skill is empty/],
    ["deploy/SKILL.md", "---\nname: deploy\ndescription: *x\n---\n", /not YAML/],
    ["deploy/SKILL.md", Buffer.from([0, 1, 2]), /Not a UTF-8 text file/],
    ["deploy/SKILL.md", Buffer.alloc(10 * 1024 * 1024), /has 10.0 MB/],
    ["deploy/readme.md", "x", /No SKILL.md in/],
    ["Deploy It/SKILL.md", "# x\n", /Invalid skill name/],
  ])("refuses %s with %j", async (path, content, reason) => {
    const memory = await openScratchMemory();
    const from = dirname(write(join(scratchFolder(), path), content));
    await expect(memory.skills.add(from)).rejects.toThrow(reason);
    expect(existsSync(join(memory.project.root, ".agent"))).toBe(false);
  });

  it("refuses a folder with too much in it, and one that is not there", async () => {
    const memory = await openScratchMemory();
    const from = dirname(write(join(scratchFolder(), "a/SKILL.md"), text("a")));
    write(join(from, "movie.bin"), Buffer.alloc(11 * 1024 * 1024));
    await expect(memory.skills.add(from)).rejects.toThrow("More than 200 files or 10 MB");
    await expect(memory.skills.add("nowhere")).rejects.toThrow("No such file or folder");
  });

  it("does not write through a link that points outside", async () => {
    const memory = await openScratchMemory();
    const { root } = memory.project;
    const outside = scratchFolder();
    mkdirSync(join(root, ".agent"));
    symlinkSync(outside, join(root, ".agent/skills"));
    await expect(memory.skills.add(write(join(scratchFolder(), "a.md"), text("a")))).rejects.toThrow(
      "points outside",
    );
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe("adding a draft", () => {
  const draftsOf = (root: string) => join(root, ".agent/skills-drafts");

  it("takes the draft away, and of one that is a link the link alone", async () => {
    const root = scratchRepository();
    const memory = await openScratchMemory({ root });
    write(join(draftsOf(root), "own/SKILL.md"), text("own"));
    write(join(draftsOf(root), "own/more/notes.txt"), "own");
    write(join(root, "docs/howto/SKILL.md"), text("howto"));
    write(join(root, "docs/howto/notes.txt"), "a person's");
    symlinkSync("../../docs/howto", join(draftsOf(root), "howto"));
    for (const name of ["own", "howto"]) await memory.skills.add(name);
    expect(readdirSync(join(root, "docs/howto"))).toEqual(["SKILL.md", "notes.txt"]);
    expect(readdirSync(draftsOf(root))).toEqual([]);
    expect(readFileSync(join(root, ".agent/skills/howto/notes.txt"), "utf8")).toBe("a person's");
  });

  it("leaves an installed skill that the drafts lead to, and drafts that are elsewhere", async () => {
    const root = scratchRepository();
    const memory = await openScratchMemory({ root });
    skillAt(root, "good");
    mkdirSync(draftsOf(root));
    symlinkSync("../skills/good", join(draftsOf(root), "good"));
    await memory.skills.add("good", { force: true });
    expect(readFileSync(join(root, ".agent/skills/good/SKILL.md"), "utf8")).toBe(text("good"));
    rmSync(draftsOf(root), { recursive: true });
    write(join(root, "docs/howto/SKILL.md"), text("howto"));
    for (const place of ["skills", "../docs"]) {
      symlinkSync(place, draftsOf(root));
      const [name = ""] = readdirSync(draftsOf(root));
      await memory.skills.add(name, { force: true });
      expect(readFileSync(join(draftsOf(root), name, "SKILL.md"), "utf8")).toBe(text(name));
      rmSync(draftsOf(root));
    }
    rmSync(join(root, ".agent/skills"), { recursive: true });
    write(join(draftsOf(root), "same/SKILL.md"), text("same"));
    symlinkSync("skills-drafts", join(root, ".agent/skills"));
    await memory.skills.add("same", { force: true });
    expect(readFileSync(join(draftsOf(root), "same/SKILL.md"), "utf8")).toBe(text("same"));
  });
});

describe("linking skills", () => {
  it("makes relative links, replaces its own alone, and names what it left", async () => {
    const root = scratchRepository();
    for (const name of ["a", "b", "c", "d", "e"]) skillAt(root, name);
    const memory = await openScratchMemory({ root });
    const folder = join(root, ".claude/skills");
    write(join(folder, "b/SKILL.md"), "a person's");
    symlinkSync("/elsewhere/c", join(folder, "c"));
    const other = dirname(skillAt(scratchFolder(), "d"));
    symlinkSync(other, join(folder, "d"));
    symlinkSync(join(root, ".agent/skills/e"), join(folder, "e"));
    const results = async () =>
      (await memory.skills.link({ to: [".claude/skills"] })).map(({ name, result }) => [name, result]);
    expect(await results()).toEqual([
      ["a", "linked"],
      ["b", "refused"],
      ["c", "refused"],
      ["d", "refused"],
      ["e", "unchanged"],
    ]);
    expect(readlinkSync(join(folder, "a"))).toBe("../../.agent/skills/a");
    expect(readlinkSync(join(folder, "d"))).toBe(other);
    expect(readFileSync(join(folder, "b/SKILL.md"), "utf8")).toBe("a person's");
    expect(readlinkSync(join(folder, "c"))).toBe("/elsewhere/c");
    expect((await results()).map(([, result]) => result)).toEqual([
      "unchanged",
      "refused",
      "refused",
      "refused",
      "unchanged",
    ]);
  });

  it("copies where links cannot be used, and leaves folders that are links themselves alone", async () => {
    const root = scratchRepository();
    skillAt(root, "a");
    const memory = await openScratchMemory({ root });
    mkdirSync(join(root, ".claude"));
    symlinkSync("../.agent/skills", join(root, ".claude/skills"));
    expect((await memory.skills.link()).map(({ result }) => result)).toEqual(["unchanged", "linked"]);
    expect((await memory.skills.link({ to: ["x/skills"], isCopy: true }))[0]?.result).toBe("copied");
    expect(lstatSync(join(root, "x/skills/a")).isSymbolicLink()).toBe(false);
    expect((await memory.skills.link({ to: ["x/skills"], isCopy: true }))[0]?.result).toBe("unchanged");
  });

  it("follows a skill from the shared folder to a worktree's own, and makes copies of its links", async () => {
    const root = scratchRepository();
    git(root, "commit", "--quiet", "--allow-empty", "-m", "x");
    const worktree = join(scratchFolder(), "tree");
    git(root, "worktree", "add", "--quiet", worktree);
    skillAt(root, "both");
    const memory = await openScratchMemory({ root: worktree });
    const link = async (isCopy = false) =>
      (await memory.skills.link({ to: ["x"], isCopy })).map(({ result }) => result);
    expect(await link()).toEqual(["linked"]);
    skillAt(worktree, "both", text("both", "own\n"));
    expect(await link()).toEqual(["linked"]);
    expect(readFileSync(join(worktree, "x/both/SKILL.md"), "utf8")).toContain("own");
    expect(await link(true)).toEqual(["copied"]);
    mkdirSync(join(worktree, ".claude"));
    symlinkSync("../.agent/skills", join(worktree, ".claude/skills"));
    skillAt(root, "shared");
    expect(await memory.skills.link({ to: [".claude/skills"] })).toMatchObject([
      { name: "both", result: "unchanged" },
      { name: "shared", result: "refused", reason: "the folder is itself a skill folder" },
    ]);
  });

  it("refuses folders that are not for agents, through links, too", async () => {
    const root = scratchRepository();
    skillAt(root, "good");
    const memory = await openScratchMemory({ root });
    symlinkSync(".agent", join(root, "around"));
    const folders = [
      ".git",
      ".git/skills",
      ".ralph/x",
      ".agent",
      ".agent/skills-drafts",
      ".agent/skills/good",
    ];
    for (const to of [...folders, "around/skills/good/more", "packages/a/.Git"])
      for (const isCopy of [false, true])
        await expect(memory.skills.link({ to: [to], isCopy })).rejects.toThrow(
          "--to must be a folder that agents read",
        );
    expect(readdirSync(join(root, ".agent/skills/good"))).toEqual(["SKILL.md"]);
  });

  it("refuses folders outside of the project", async () => {
    const root = scratchRepository();
    skillAt(root, "a");
    const memory = await openScratchMemory({ root });
    for (const to of ["../x", "/tmp", "."])
      await expect(memory.skills.link({ to: [to] })).rejects.toThrow("--to must be");
    symlinkSync(scratchFolder(), join(root, ".claude"));
    await expect(memory.skills.link({ to: [".claude/skills"] })).rejects.toThrow("points outside");
  });
});
