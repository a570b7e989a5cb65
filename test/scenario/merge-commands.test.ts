import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeVersions } from "../../src/notes/merge-versions.js";
import { editedBranches } from "../notes/edited-branches.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { git, scratchFolder, scratchRepository } from "../support/scratch.js";

const notesPath = ".agent/memories.md";

function project() {
  const cwd = scratchRepository();
  const path = join(cwd, notesPath);
  const ralph = (...args: string[]) => runRalph(args, { cwd });
  const commit = (message = "notes") =>
    git(cwd, "commit", "--quiet", "--all", "--allow-empty", "-m", message);
  return {
    ...{ cwd, path, ralph, commit },
    read: () => readFileSync(path, "utf8"),
    ids: async () => (await ralph("memory", "list", "--format", "quiet")).stdout.trim().split("\n"),
    /** A repository in which git merges notes with the built program. */
    async init() {
      await ralph("init");
      git(cwd, "add", ".agent", ".gitattributes");
      commit("init");
    },
    /** Commits what a command does on a branch `side`, and what another one does on `main`. */
    async onBranches(onSide: string[], onMain: string[]) {
      git(cwd, "checkout", "--quiet", "-b", "side");
      await ralph(...onSide);
      commit();
      git(cwd, "checkout", "--quiet", "main");
      await ralph(...onMain);
      commit();
    },
    merge: (branch: string) => {
      const args = [
        "-c",
        "user.name=Test",
        "-c",
        "user.email=test@example.com",
        "merge",
        "-m",
        "merged",
        branch,
      ];
      return spawnSync("git", args, { cwd, encoding: "utf8", env: ralphEnvironment(cwd) });
    },
  };
}

describe("git with the merge driver", () => {
  it("merges notes that two branches added on one day, with their tags", async () => {
    const { cwd, ralph, commit, init, merge, read } = project();
    await init();
    git(cwd, "checkout", "--quiet", "-b", "side");
    await ralph("memory", "add", "Postgres must run", "-t", "fix", "--tags", "docker,db");
    commit();
    git(cwd, "checkout", "--quiet", "main");
    await ralph("memory", "add", "Redis must run", "-t", "fix", "--tags", "docker,db");
    commit();
    expect(merge("side").status).toBe(0);
    const notes = JSON.parse((await ralph("memory", "list", "--json")).stdout) as {
      content: string;
      tags: string[];
    }[];
    expect(notes.map(({ content, tags }) => [content, tags.join()]).toSorted()).toEqual([
      ["Postgres must run", "docker,db"],
      ["Redis must run", "docker,db"],
    ]);
    expect(read()).toContain("## Fixes\n\n### mem-");
  });

  it("reports a note that both changed, and marks only it", async () => {
    const { cwd, ralph, commit, init, merge, ids, read } = project();
    await init();
    await ralph("memory", "add", "the port is 1", "-t", "fix", "--tags", "net");
    const [id = ""] = await ids();
    commit();
    git(cwd, "checkout", "--quiet", "-b", "side");
    await ralph("memory", "edit", id, "the port is 2");
    await ralph("memory", "add", "another one");
    commit();
    git(cwd, "checkout", "--quiet", "main");
    await ralph("memory", "edit", id, "the port is 3");
    commit();
    const { status, stdout, stderr } = merge("side");
    expect([status, stdout]).toEqual([
      1,
      expect.stringContaining(`CONFLICT (content): Merge conflict in ${notesPath}`),
    ]);
    expect(stderr).toContain(`Conflict in ${notesPath}: ${id} (resolve what is between the markers)`);
    expect(read()).toMatch(
      /### mem-\S+\n<{7} \S+\n> the port is 3\n={7}\n> the port is 2\n>{7} \S+\n<!-- tags: net/,
    );
    expect(await ids()).toHaveLength(1);
    expect((await ralph("memory", "search", "another")).stdout).toContain("another one");
    expect(await ralph("memory", "add", "x")).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^Error: Git conflict marker in .*memories\.md, line \d+ .*\n$/),
    });
  });

  it.each(["main", "side"])("reports a note that %s moved and the other branch deleted", async (mover) => {
    const { ralph, commit, init, onBranches, merge, ids, read } = project();
    await init();
    await ralph("memory", "add", "the port is 1", "-t", "pattern", "--tags", "net");
    const [id = ""] = await ids();
    commit();
    const moving = ["memory", "edit", id, "--type", "fix"];
    const deleting = ["memory", "delete", id];
    await (mover === "side" ? onBranches(moving, deleting) : onBranches(deleting, moving));
    const { status, stderr } = merge("side");
    expect([status, stderr]).toEqual([1, expect.stringContaining(`Conflict in ${notesPath}: ${id} (`)]);
    expect(read()).toMatch(/## Fixes\n\n<{7} [^#]*### mem-\S+\n> the port is 1\n<!-- tags: net [^#]*>{7} /);
  });

  it("reports a note that both moved, to different sections", async () => {
    const { ralph, commit, init, onBranches, merge, ids, read } = project();
    await init();
    await ralph("memory", "add", "the port is 1", "-t", "pattern", "--tags", "net");
    const [id = ""] = await ids();
    commit();
    await onBranches(["memory", "edit", id, "--type", "fix"], ["memory", "edit", id, "--type", "context"]);
    const { status, stderr } = merge("side");
    expect([status, stderr]).toEqual([1, expect.stringContaining(`Conflict in ${notesPath}: ${id} (`)]);
    expect(read()).toMatch(/## Fixes\n\n<{7} .*\n={7}\n### mem-\S+\n> the port is 1\n.*\n>{7} /);
    expect(read()).toMatch(/## Context\n\n<{7} .*\n### mem-\S+\n> the port is 1\n.*\n={7}\n>{7} /);
    expect((await ralph("memory", "show", id)).status).not.toBe(0);
  });

  it("joins tags that two branches added to a note", async () => {
    const { ralph, commit, init, onBranches, merge, ids } = project();
    await init();
    await ralph("memory", "add", "the port is 1", "--tags", "a1,a2");
    const [id = ""] = await ids();
    commit();
    await onBranches(["memory", "edit", id, "--tags", "a1,a2,o"], ["memory", "edit", id, "--tags", "a2,m"]);
    expect(merge("side").status).toBe(0);
    expect(JSON.parse((await ralph("memory", "list", "--json")).stdout)).toMatchObject([
      { id, tags: ["a2", "m", "o"] },
    ]);
  });

  it("gives what the merge gives, for random branches and a third one behind", async () => {
    const { cwd, path, init, commit, merge } = project();
    await init();
    const labels = { markerSize: 7, ours: "ours", theirs: "theirs" };
    const checkout = (...args: string[]) => git(cwd, "checkout", "--quiet", "--force", ...args);
    const save = (bytes: Buffer) => {
      writeFileSync(path, bytes);
      commit();
    };
    for (const [round, { base, branches }] of fc.sample(editedBranches(3), 8).entries()) {
      const name = (branch: number) => `b${round}-${branch}`;
      checkout("-B", name(0), "main");
      save(base);
      for (const branch of [1, 2]) {
        checkout("-b", name(branch), name(0));
        save(branches[branch] ?? base);
      }
      checkout(name(0));
      save(branches[0] ?? base);
      let ours = branches[0] ?? base;
      for (const branch of [1, 2]) {
        const theirs = branches[branch] ?? base;
        const { status } = merge(name(branch));
        const expected = mergeVersions({ base, ours, theirs }, labels);
        const isConflict = expected.notes.length + expected.places > 0;
        const isTrivial = [ours, theirs].some((side) => side.equals(base)) || ours.equals(theirs);
        expect([status, readFileSync(path, "utf8")]).toEqual([
          isConflict && !isTrivial ? 1 : 0,
          isTrivial ? (ours.equals(base) ? theirs : ours).toString() : expected.bytes.toString(),
        ]);
        if (isConflict) break;
        ours = readFileSync(path);
      }
    }
  });

  describe("falls back to merging lines", () => {
    /** Merges two lines of prose after the driver that `init` wrote was changed. */
    async function mergeProse(change: (driver: string) => string, environment: Record<string, string> = {}) {
      const { cwd, path, commit, merge, read } = project();
      await runRalph(["init"], { cwd, env: environment });
      git(cwd, "add", ".agent", ".gitattributes");
      commit("init");
      const key = "merge.ralph-notes.driver";
      git(cwd, "config", key, change(git(cwd, "config", key).trim()));
      const text = read();
      git(cwd, "checkout", "--quiet", "-b", "side");
      writeFileSync(path, text.replace("## Patterns\n", "## Patterns\n\nof the side\n"));
      commit();
      git(cwd, "checkout", "--quiet", "main");
      writeFileSync(path, `${text}\nof main\n`);
      commit();
      const merged = merge("side");
      expect(merged.status).toBe(0);
      expect(read()).toMatch(/of the side\n[\s\S]*of main\n/);
      return merged.stderr;
    }
    const said = `ralph is not found here: git merges ${notesPath} by lines\n`;

    it("where no program of that name is on the PATH, and says so in one line", async () => {
      const folder = scratchFolder();
      // As a package manager writes it.
      const script = "#!/bin/sh\nexec node ralph-memory/dist/cli/main.cjs\n";
      writeFileSync(join(folder, "ralph-memory"), script, { mode: 0o755 });
      const isByName = (driver: string) => {
        expect(driver).toContain("then ralph-memory merge-notes ");
        return driver;
      };
      expect(await mergeProse(isByName, { PATH: `${folder}:${process.env.PATH}` })).toBe(said);
    });

    it.each([
      ["the program", (driver: string) => driver.replaceAll(ralphProgram, "/gone/main.cjs")],
      ["its Node", (driver: string) => driver.replaceAll(process.execPath, "/gone/node")],
    ])("where %s is gone, and says so in one line", async (_, change) => {
      expect(await mergeProse(change)).toBe(said);
    });

    it("where the program fails", async () => {
      expect(await mergeProse((driver) => driver.replace(" merge-notes ", " no-such-command "))).toMatch(
        /^Error: .*no-such-command/,
      );
    });
  });

  it("needs it once in each clone, which doctor says", async () => {
    const { cwd, init } = project();
    await init();
    const clone = join(scratchFolder(), "clone");
    execFileSync("git", ["clone", "--quiet", cwd, clone]);
    const doctor = async () => (await runRalph(["doctor"], { cwd: clone })).stdout;
    expect(await doctor()).toMatch(
      /^! git +\.gitattributes asks for the merge driver ralph-notes: this clone lacks it.*\(ralph setup git writes it\)$/m,
    );
    expect(await runRalph(["setup", "git", "--yes"], { cwd: clone })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\.git\/config\n\+ merge\.ralph-notes\.name = /),
    });
    expect(await doctor()).toMatch(/^✓ git +git merges \.agent\/memories\.md by the ids of notes$/m);
  });
});

describe("git without the merge driver", () => {
  it("loses tags when a conflict is resolved by hand, which doctor finds and gives back from git", async () => {
    const { cwd, path, ralph, commit, merge, read } = project();
    await ralph("memory", "init");
    git(cwd, "add", ".agent");
    commit();
    git(cwd, "checkout", "--quiet", "-b", "side");
    await ralph("memory", "add", "Postgres must run", "-t", "fix", "--tags", "docker,db");
    commit();
    git(cwd, "checkout", "--quiet", "main");
    await ralph("memory", "add", "Redis must run", "-t", "fix", "--tags", "docker,db");
    commit();
    expect(merge("side").status).toBe(1);
    writeFileSync(path, `${read().replace(/^[<>=]{7}.*\n/gm, "")}\nprose\r\n> `);
    commit("resolved by hand");
    const resolved = read();
    expect(resolved.match(/<!-- tags: docker, db/g)).toHaveLength(1);
    const { status, stdout } = await ralph("doctor");
    expect(status).toBe(0);
    const line = "<!-- tags: docker, db \\| created: \\d{4}-\\d\\d-\\d\\d -->";
    expect(stdout).toMatch(
      new RegExp(
        `^! metadata .*memories\\.md, line \\d+: mem-\\S+ lost its metadata: ${line} of commit .* --repair`,
        "m",
      ),
    );
    expect(read()).toBe(resolved);
    expect((await ralph("doctor", "--repair")).stdout).toMatch(
      /^↻ metadata .* has its metadata back: .* \(repaired\)$/m,
    );
    const repaired = read();
    const [meta = ""] = new RegExp(`${line}\n`).exec(resolved) ?? [];
    expect(repaired.match(new RegExp(line, "g"))).toHaveLength(2);
    expect(repaired.replaceAll(meta, "")).toBe(resolved.replaceAll(meta, ""));
    expect((await ralph("doctor")).stdout).not.toContain("metadata");
    expect((await ralph("memory", "list", "--json")).stdout.match(/"docker"/g)).toHaveLength(2);
  });

  it("costs only the notes of the conflict: recall goes on", async () => {
    const { path, ralph } = project();
    await ralph("memory", "add", "Deploys need the VPN");
    writeFileSync(
      path,
      `${readFileSync(path, "utf8")}\n<<<<<<< HEAD\n### mem-a\n> a\n=======\n### mem-b\n> b\n>>>>>>> x\n`,
    );
    const { status, stdout, stderr } = await ralph("recall", "Deploys need what");
    expect([status, stdout]).toEqual([0, expect.stringContaining("Deploys need the VPN")]);
    expect(stderr).toMatch(/line \d+: git conflict marker: not read until it is resolved: mem-a, mem-b/);
  });
});

describe("setting up the merge driver", () => {
  const written = (cwd: string) =>
    [".gitattributes", ".git/config"].map((name) =>
      existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), "utf8") : undefined,
    );

  it.each([undefined, "", "*.png binary", "*.png binary\r\n"])(
    "is told in one line, done once, and taken out to the byte, with .gitattributes %j",
    async (attributes) => {
      const { cwd, ralph } = project();
      git(cwd, "config", "alias.st", "status");
      if (attributes !== undefined) writeFileSync(join(cwd, ".gitattributes"), attributes);
      const before = written(cwd);
      const line = /^git merges notes by their ids: written to \.gitattributes and \.git\/config \(.*\)$/m;
      expect((await ralph("init")).stdout).toMatch(line);
      const after = written(cwd);
      expect((await ralph("init")).stdout).not.toMatch(line);
      expect((await ralph("setup", "git", "--yes")).stderr).toBe(
        "Nothing to do: everything is there already\n",
      );
      expect(written(cwd)).toEqual(after);
      expect((await ralph("setup", "git", "--remove", "--yes")).stderr).toBe("Taken out\n");
      expect(written(cwd)).toEqual(before);
      expect((await ralph("setup", "git", "--dry-run")).stdout).toContain(
        "+ .agent/memories.md merge=ralph-notes",
      );
      expect(written(cwd)).toEqual(before);
    },
  );

  it("is part of setting up all that is there, and of taking it out", async () => {
    const { cwd } = project();
    const home = scratchFolder();
    mkdirSync(join(home, ".cursor"));
    const ralph = (...args: string[]) => runRalph(args, { cwd, env: { HOME: home, PATH: "/usr/bin:/bin" } });
    const before = written(cwd);
    const changed = async (...args: string[]) =>
      JSON.parse((await ralph("setup", ...args, "--json")).stdout).changes.map(
        ({ path }: { path: string }) => path,
      );
    expect(await changed("--yes")).toEqual(
      expect.arrayContaining([join(cwd, ".gitattributes"), ".git/config", join(cwd, ".cursor/mcp.json")]),
    );
    expect(written(cwd)).not.toEqual(before);
    expect(await changed("cursor", "--remove", "--yes")).not.toContain(".git/config");
    expect(await changed("--remove", "--yes")).toEqual([join(cwd, ".gitattributes"), ".git/config"]);
    expect(written(cwd)).toEqual(before);
  });

  it("does without git where git cannot be asked", async () => {
    const { cwd } = project();
    const { status, stdout } = await runRalph(["init"], { cwd, env: { PATH: scratchFolder() } });
    expect([status, stdout]).toEqual([0, expect.stringContaining("git cannot be asked here")]);
    expect(existsSync(join(cwd, ".gitattributes"))).toBe(false);
  });

  it("leaves another driver that somebody chose for the notes", async () => {
    const { cwd, ralph } = project();
    writeFileSync(join(cwd, ".gitattributes"), "*.md merge=union\n");
    const before = written(cwd);
    expect((await ralph("init")).stdout).toContain(
      `git: ${notesPath} has the attribute merge=union, which stays\n`,
    );
    expect(written(cwd)).toEqual(before);
  });

  it("does nothing outside of git, and says so when asked for", async () => {
    const cwd = scratchFolder();
    mkdirSync(join(cwd, ".agent"));
    const ralph = (...args: string[]) => runRalph(args, { cwd, env: { GIT_CEILING_DIRECTORIES: cwd } });
    expect((await ralph("init")).stdout).not.toContain("git merges");
    expect(await ralph("setup", "git", "--yes")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^Error: Notes are not committed here/),
    });
  });
});
