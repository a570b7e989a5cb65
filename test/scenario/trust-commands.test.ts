import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { git, scratchFolder, scratchRepository } from "../support/scratch.js";
import { loopRepository } from "../support/scripted-agent.js";

const untrusting = { RALPH_TRUST: undefined };

function ralphIn(cwd: string) {
  return (...args: string[]) => runRalph(args, { cwd, env: untrusting });
}

describe("a run in a project that names its agent and its check", () => {
  it("starts once they are allowed, and not after they changed", async () => {
    const { cwd, starts } = loopRepository("echo '<promise>COMPLETE</promise>'", {
      settings: "run: { agent: scripted, verify: ['true'] }",
    });
    const ralph = ralphIn(cwd);

    const before = await ralph("run", "Go");
    expect(before).toMatchObject({ status: 2, stdout: "" });
    expect(before.stderr).toContain("run.verify, agents.scripted");
    expect(before.stderr).toContain("ralph trust");

    const trust = await ralph("trust");
    expect(trust.stdout).toContain('["true"]');
    expect(trust.stdout).toContain("./agent.sh");
    expect((await ralph("run", "Go")).status).toBe(0);
    expect(starts()).toBe(1);

    const settings = readFileSync(join(cwd, "ralph.yml"), "utf8");
    writeFileSync(join(cwd, "ralph.yml"), settings.replace("'true'", "'touch seen/changed'"));
    const changed = await ralph("run", "Go");
    expect(changed.status).toBe(2);
    expect(changed.stderr).toContain("Error: run.verify");

    writeFileSync(join(cwd, "ralph.yml"), `${settings}\nmemories: { budget: 100 }\n`);
    expect((await ralph("trust", "--list")).stdout).not.toContain("Not allowed");
    await ralph("trust", "--withdraw");
    expect((await ralph("run", "Go")).status).toBe(2);
    expect(starts()).toBe(1);
  });

  it("shows all of a command, also what looks like a secret, each request on lines of its own", async () => {
    const hidden =
      "password='hunter2-hunter2'; -----BEGIN PRIVATE KEY-----; touch x; -----END PRIVATE KEY-----";
    const cwd = scratchRepository();
    writeFileSync(join(cwd, "ralph.yml"), `run: { verify: [${JSON.stringify(hidden)}] }\n`);
    symlinkSync("/nowhere\n  run.agent: harmless", join(cwd, ".agent"));
    const { stdout } = await ralphIn(cwd)("trust", "--list");
    expect(stdout).toContain(hidden);
    expect(stdout).toContain("/nowhere⏎  run.agent: harmless\n");
    expect((await ralphIn(cwd)("trust", "--list", "--json")).stdout).toContain(hidden);
  });

  it("shows an address without its password, which is allowed all the same, and asks again when that changes", async () => {
    const cwd = scratchRepository();
    const ralph = ralphIn(cwd);
    const setPassword = (password: string) =>
      writeFileSync(
        join(cwd, "ralph.yml"),
        [
          `store: postgres://ann:${password}@127.0.0.1:1/ralph?password=${password}&sslmode=disable`,
          `embedder: { address: "https://ann:${password}@127.0.0.1:1/v1" }`,
        ].join("\n"),
      );
    setPassword("tulip");
    const listed = await ralph("trust", "--list");
    expect(listed.stdout).toContain('"postgres://ann:***@127.0.0.1:1/ralph?password=***&sslmode=disable"');
    expect(listed.stdout).toContain('"https://ann:***@127.0.0.1:1/v1"');
    const printed = [listed, await ralph("trust", "--list", "--json"), await ralph("trust", "--yes")];
    for (const command of ["show", "get store.url", "get store.url --json", "show --json"])
      printed.push(await ralph("config", ...command.split(" ")));
    printed.push(
      await ralph("config", "set", "store.url", "postgres://ann:tulip@127.0.0.1:1/ralph", "--json"),
    );
    printed.push(await ralph("config", "set", "store.url", "postgres://ann:tulip@127.0.0.1:1/other"));
    for (const { stdout, stderr } of printed) expect(stdout + stderr).not.toContain("tulip");
    setPassword("tulip");
    expect((await ralph("trust", "--list")).stdout).not.toContain("Not allowed");
    setPassword("rose");
    expect((await ralph("trust", "--list")).stdout).toContain("Not allowed so far");
  });

  it("is not allowed by the agent itself", async () => {
    const { cwd } = loopRepository("true", { settings: "run: { verify: ['true'] }" });
    const result = await runRalph(["trust", "--yes"], {
      cwd,
      env: { ...untrusting, RALPH_TASK: "task-001" },
    });
    expect(result.status).toBe(2);
    expect((await ralphIn(cwd)("trust", "--list")).stdout).toContain("Not allowed so far");
  });

  it("is not allowed by an agent that clears its environment, either", async () => {
    const clean = `env -i HOME="$HOME" RALPH_HOME="$RALPH_HOME" PATH="$PATH" "${process.execPath}" "${ralphProgram}"`;
    const { cwd } = loopRepository(
      `${clean} trust --yes > answer.txt 2>&1; echo '<promise>COMPLETE</promise>'`,
      { settings: "run: { agent: scripted }\nreflector: { command: ['./other.sh'] }" },
    );
    await runRalph(["run", "Go", "--verify", "true"], { cwd });
    expect(readFileSync(join(cwd, "answer.txt"), "utf8")).toContain("An agent cannot allow");
    expect((await ralphIn(cwd)("trust", "--list")).stdout).not.toContain("Allowed:");
  });
});

describe("records that came with a project", () => {
  it("are not read until the user allows it, which copies them into the user's own store", async () => {
    const cwd = scratchRepository();
    await runRalph(["task", "init", "Move the ports to one file"], { cwd });
    const before = snapshotOf(join(cwd, ".ralph"));
    const env = { ...ralphEnvironment(cwd, untrusting), RALPH_HOME: scratchFolder() };
    const other = (...args: string[]) => runRalph(args, { cwd, env });

    const first = await other("history");
    expect(first.stdout).not.toContain("Move the ports");
    expect(first.stderr).toContain(".ralph");
    expect(first.stderr).toContain("ralph trust");
    expect((await other("task", "init", "Mine")).status).toBe(0);
    expect((await other("trust", "--yes")).stdout).toContain("copies the records");
    const { stdout, stderr } = await other("history");
    expect(stdout).toContain("Move the ports");
    expect(stdout).toContain("Mine");
    expect(stderr).toBe("");
    expect(snapshotOf(join(cwd, ".ralph"))).toEqual(before);
  });

  it("are never resumed, stopped or replayed as the user's own", async () => {
    const { cwd } = loopRepository("exit 1", { settings: "run: { agent: scripted }" });
    await runRalph(["run", "Go", "--verify", "touch seen/verified; false", "--max-iterations", "1"], { cwd });
    const verified = join(cwd, "seen/verified");
    rmSync(verified);
    const ralph = ralphIn(cwd);
    git(cwd, "add", "--force", ".ralph");
    expect((await ralph("history")).stdout).not.toContain("task-001");
    await ralph("trust", "--yes");
    expect((await ralph("history")).stdout).toContain("task-001");
    const refused = await ralph("resume");
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain("resume task-001");
    const replayed = await ralph("replay", "task-001", "--execute", "--yes");
    expect(replayed).toMatchObject({ status: 2 });
    expect(existsSync(verified)).toBe(false);

    expect((await ralph("trust", "--yes")).stdout).toContain("touch seen/verified; false");
    await ralph("resume");
    expect(existsSync(verified)).toBe(true);
  });

  it("are the user's again once git no longer tracks them", async () => {
    const cwd = scratchRepository();
    const ralph = ralphIn(cwd);
    await ralph("task", "init", "Mine");
    git(cwd, "add", "--force", ".ralph");
    expect((await ralph("history")).stdout).not.toContain("Mine");
    git(cwd, "rm", "--quiet", "--force", "--cached", "-r", ".ralph");
    expect((await ralph("history")).stdout).toContain("Mine");
  });

  it("stay the user's own when the project is moved", async () => {
    const [before, home] = [scratchRepository(), scratchFolder()];
    const env = { ...untrusting, RALPH_HOME: home };
    await runRalph(["task", "init", "Mine"], { cwd: before, env });
    const after = join(scratchFolder(), "moved");
    renameSync(before, after);
    mkdirSync(before);
    const { stdout, stderr } = await runRalph(["history"], { cwd: after, env });
    expect(stdout).toContain("Mine");
    expect(stderr).toBe("");
  });
});

/** Names, bytes and times of all files in a folder. */
function snapshotOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const stats = statSync(join(folder, name));
      return `${name} ${stats.mtimeMs} ${stats.isFile() ? readFileSync(join(folder, name), "hex") : ""}`;
    });
}

describe("a link that leads out of the project", () => {
  it("is neither read nor written through until it is allowed", async () => {
    const [cwd, outside] = [scratchRepository(), scratchFolder()];
    const target = join(outside, "memories.md");
    const text =
      "# Memories\n\n## Patterns\n\n### mem-1737372000-a1b2\n> Kept elsewhere\n<!-- tags: x | created: 2026-01-20 -->\n";
    writeFileSync(target, text);
    await ralphIn(cwd)("init");
    rmSync(join(cwd, ".agent/memories.md"));
    symlinkSync(target, join(cwd, ".agent/memories.md"));
    const ralph = ralphIn(cwd);

    const listed = await ralph("memory", "list");
    expect(listed.stdout).not.toContain("Kept elsewhere");
    expect(listed.stderr).toContain(`.agent/memories.md → ${target}`);
    const added = await ralph("memory", "add", "New");
    expect(added.status).toBe(2);
    expect(readFileSync(target, "utf8")).toBe(text);

    await ralph("trust", "--yes");
    expect((await ralph("memory", "list")).stdout).toContain("Kept elsewhere");
    expect((await ralph("memory", "add", "New")).status).toBe(0);
    expect(readFileSync(target, "utf8")).toContain("> New");
  });

  it("is one also where it leads to what the user keeps for all projects", async () => {
    const cwd = scratchRepository();
    const home = scratchFolder();
    writeFileSync(join(home, "ralph.yml"), "memories: { budget: 500 }\n");
    mkdirSync(join(cwd, ".agent"));
    symlinkSync(join(home, "ralph.yml"), join(cwd, ".agent/memories.md"));
    const added = await runRalph(["memory", "add", "New"], { cwd, env: { ...untrusting, RALPH_HOME: home } });
    expect(added.status).toBe(2);
    expect(readFileSync(join(home, "ralph.yml"), "utf8")).toBe("memories: { budget: 500 }\n");
  });
});
