import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { hasTerminals, onTerminal } from "../support/on-terminal.js";
import { ralphEnvironment, ralphProgram, runRalph } from "../support/run-ralph.js";
import { scratchFolder } from "../support/scratch.js";
import { openTerminalSession } from "../support/terminal-session.js";

let cwd: string;
const ralph = (args: readonly string[], env = {}) => runRalph(args, { cwd, env });

beforeEach(async () => {
  cwd = scratchFolder();
  const notes = Array.from(
    { length: 30 },
    (_, index) =>
      `### mem-17373720${String(index).padStart(2, "0")}-a1b2\n> Docker service ${index} must be started before the integration tests run\n<!-- tags: docker, database | created: 2026-01-20 -->\n`,
  );
  await ralph(["init"]);
  writeFileSync(join(cwd, ".agent/memories.md"), `# Memories\n\n## Fixes\n\n${notes.join("\n")}`);
});

describe.skipIf(!hasTerminals)("on a terminal", () => {
  it("a list is cut with its number and the whole number, and no type is cut at 80 columns", async () => {
    const shown = await onTerminal(["memory", "search", "docker"], cwd);
    expect(shown).toContain("10 of 30; all with -n 0");
    expect(shown.match(/🔧 fix {2}/g)).toHaveLength(10);
    expect(shown).toMatch(/Docker service \d+ must be started before\n/);
    for (const line of shown.split("\n")) expect(line.length).toBeLessThanOrEqual(90);
    expect(await onTerminal(["memory", "search", "docker", "-n", "0"], cwd)).not.toContain(" of 30");
  });

  it("80 columns are enough for why something is recalled, and for what a search finds", async () => {
    const task = "Write the number of the step into out.txt, and keep the line that was written last";
    const reason = "out.txt was not written because the folder of the step is missing";
    await ralph(["memory", "add", "out.txt belongs to the step that writes it, and to no other"]);
    await ralph(["task", "init", task]);
    await ralph(["task", "start", "task-001"]);
    await ralph(["task", "complete", "task-001", "--outcome", "failure", "--reason", reason]);
    const env = { NO_COLOR: "1" };
    const explained = await onTerminal(["recall", "out.txt", "--explain"], cwd, { env });
    const { entries } = JSON.parse((await ralph(["recall", "out.txt", "--json"])).stdout);
    expect(entries.length).toBeGreaterThan(1);
    for (const { why } of entries) expect(inOneLine(explained)).toContain(`WHY ${why} PARTS`);
    expect(inOneLine(explained)).toContain(task);
    const found = await onTerminal(["search", "folder missing"], cwd, { env });
    expect(inOneLine(found)).toContain(`${task} MATCH reflection: ${reason}`);
    expect(await onTerminal(["search", "number"], cwd, { env })).not.toContain("MATCH");
    for (const line of `${explained}${found}`.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("figures are never cut", async () => {
    const shown = await onTerminal(["metrics"], cwd, { columns: 60, env: { NO_COLOR: "1" } });
    expect(shown).toMatch(
      /success_rate\n +WITHOUT +– \(n 0\)\n +WITH +– \(n 0\)\n +DIFFERENCE \(95 %\) +too few/,
    );
    expect(shown).not.toContain("…");
  });

  it("errors and headings have colors, unless they are not wanted", async () => {
    const bold = "\u001b[1mID";
    const red = "\u001b[1;31mError\u001b[0m: ";
    expect(await onTerminal(["memory", "list"], cwd)).toContain(bold);
    expect(await onTerminal(["memory", "lst"], cwd)).toContain(red);
    expect(await onTerminal(["memory", "list", "--no-color"], cwd)).not.toContain("\u001b");
    expect(await onTerminal(["memory", "list", "--color=never"], cwd)).not.toContain("\u001b");
    expect(await onTerminal(["memory", "lst"], cwd, { env: { NO_COLOR: "1" } })).not.toContain("\u001b");
    expect(await onTerminal(["memory", "list", "--color"], cwd, { env: { NO_COLOR: "1" } })).toContain(bold);
  });

  it("a pager shows what is longer than the screen, and nothing else", async () => {
    const env = { PAGER: "sed s/^/paged:/" };
    expect(await onTerminal(["memory", "list"], cwd, { env })).toContain("paged:mem-");
    expect(await onTerminal(["memory", "list", "-n", "3"], cwd, { env })).not.toContain("paged:");
    expect(await onTerminal(["memory", "list"], cwd, { env, rows: 100 })).not.toContain("paged:");
    expect(await onTerminal(["memory", "list", "--no-pager"], cwd, { env })).not.toContain("paged:");
    expect(await onTerminal(["memory", "--help"], cwd, { env, rows: 5 })).toContain("paged:Commands:");
    const own = { ...env, RALPH_PAGER: "sed s/^/mine:/" };
    expect(await onTerminal(["memory", "list"], cwd, { env: own })).toContain("mine:mem-");
    const missing = { PAGER: "no-such-pager-anywhere" };
    expect(await onTerminal(["memory", "list"], cwd, { env: missing })).toContain("mem-1737372000");
  });

  it("a long error is broken between words", async () => {
    const shown = await onTerminal(["history", "--since", "the day before yesterday"], cwd, { columns: 60 });
    expect(shown.split("\n").every((line) => stripVTControlCharacters(line).length <= 60)).toBe(true);
    expect(shown.replace(/\s+/g, " ")).toContain("(such as 24h, 7d or 2026-01-31)");
  });
});

describe.skipIf(!hasTerminals)("Ctrl-C at a question", () => {
  const ctrlC = "\u0003";

  it("ends the command with 130, and nothing more is asked or changed", async () => {
    for (const folder of [".claude", ".codex"]) mkdirSync(join(cwd, folder));
    const session = openTerminalSession(`'${process.execPath}' '${ralphProgram}' setup`, {
      ...{ cwd, columns: 100, env: { ...ralphEnvironment(cwd), TERM: "xterm" } },
    });
    await session.until((screen) => screen.includes("Write this for claude?"));
    session.type("y\r");
    await session.until((screen) => screen.includes("Write this for codex?"));
    session.type(ctrlC);
    expect(await session.ended).toBe(130);
    expect(session.output()).toMatch(/Interrupted/);
    expect(existsSync(join(cwd, ".claude/settings.json"))).toBe(true);
    expect(readdirSync(join(cwd, ".codex"))).toEqual([]);
  });
});

describe("without a terminal", () => {
  it("nothing has colors unless they are forced, and times are as recorded", async () => {
    const { stdout } = await ralph(["memory", "list", "-n", "1"]);
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain("2026-01-20");
    expect((await ralph(["memory", "list"], { FORCE_COLOR: "1", NO_COLOR: undefined })).stdout).toContain(
      "\u001b[1mID",
    );
    expect((await ralph(["memory", "list", "--color=always"])).stdout).toContain("\u001b[1mID");
  });

  it("says that a search was cut", async () => {
    expect((await ralph(["memory", "search", "docker"])).stderr).toBe(
      "10 shown, there are more; all with -n 0\n",
    );
    expect((await ralph(["memory", "search", "docker", "--json"])).stderr).toBe("");
    expect((await ralph(["memory", "search", "docker", "-n", "30"])).stderr).toBe("");
  });
});

describe("ralph alone", () => {
  it("says where one is and what to try next", async () => {
    const { status, stdout } = await ralph([]);
    expect(status).toBe(0);
    expect(stdout).toContain("30 notes, 0 tasks, 0 learnings");
    expect(stdout.match(/^ {2}ralph /gm)).toHaveLength(3);
    expect(stdout).toContain('"ralph help" lists all commands');
  });

  it("names the last task, and suggests its history", async () => {
    await ralph(["task", "init", "Fix the login test"]);
    const { stdout } = await ralph([]);
    expect(stdout).toMatch(/last task: task-001, running, .*: Fix the login test/);
    expect(stdout).toContain("ralph history task-001");
  });

  it("knows a memory that is set up and still empty", async () => {
    const empty = scratchFolder();
    await runRalph(["init"], { cwd: empty });
    const { stdout } = await runRalph([], { cwd: empty });
    expect(stdout).toContain("0 notes, 0 tasks, 0 learnings");
    expect(stdout).toMatch(/Try next:\n {2}ralph memory add/);
  });

  it("creates nothing in an empty folder, and suggests the demo", async () => {
    const empty = scratchFolder();
    const { stdout } = await runRalph([], { cwd: empty });
    expect(stdout).toContain("no memory here yet");
    expect(stdout).toContain("ralph demo");
  });
});

describe("the same names everywhere", () => {
  it("ls and rm mean list and delete; --last and --limit mean -n", async () => {
    const ids = (await ralph(["memory", "ls", "--format", "quiet", "--last", "2"])).stdout.trim().split("\n");
    expect(ids).toHaveLength(2);
    expect((await ralph(["memory", "rm", ids[0] ?? ""])).status).toBe(0);
    expect(
      (await ralph(["memory", "ls", "--format", "quiet", "-n", "0"])).stdout.trim().split("\n"),
    ).toHaveLength(29);
    for (const group of ["learnings", "task", "skill", "link", "handoff", "ledger"])
      expect((await ralph([group, "ls"])).status).toBe(0);
  });

  it("--since takes durations and dates, --type and --tag comma lists", async () => {
    const count = async (...args: string[]) =>
      (await ralph(["memory", "list", "--format", "quiet", ...args])).stdout.split("\n").filter(Boolean)
        .length;
    expect(await count("--since", "2026-01-20")).toBe(30);
    expect(await count("--since", "2026-01-21")).toBe(0);
    expect(await count("--since", "2h")).toBe(0);
    expect(await count("--type", "fix,decision", "--tag", "docker,other")).toBe(30);
    await ralph(["task", "init", "Fix it", "--constraint", "no new packages, please"]);
    const { stdout } = await ralph(["history", "task-001", "--json"]);
    expect(JSON.parse(stdout).constraints).toEqual(["no new packages, please"]);
    for (const since of ["30d", "2026-01-31"]) {
      expect((await ralph(["history", "--since", since])).status).toBe(0);
      expect((await ralph(["search", "fix", "--since", since, "--json"])).stdout).toContain("task-001");
      expect((await ralph(["learnings", "list", "--since", since])).status).toBe(0);
    }
    expect((await ralph(["search", "fix", "--since", "2999-01-31", "--json"])).stdout.trim()).toBe("[]");
  });
});

describe.skipIf(!hasTerminals)("an editor", () => {
  const editor = (script: string) => {
    const path = join(cwd, "editor.sh");
    writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return { VISUAL: "", EDITOR: `'${path}' --wait` };
  };
  const id = "mem-1737372003-a1b2";
  const content = async () => JSON.parse((await ralph(["memory", "show", id, "--json"])).stdout).content;

  it("opens on a note's content, and what was saved is stored", async () => {
    const env = editor('[ "$1" = --wait ] && sed -i "s/Docker/Podman/" "$2"');
    const before = readFileSync(join(cwd, ".agent/memories.md"), "utf8");
    expect(await onTerminal(["memory", "edit", id], cwd, { env })).toContain(`Memory updated: ${id}`);
    expect(await content()).toBe("Podman service 3 must be started before the integration tests run");
    expect(readFileSync(join(cwd, ".agent/memories.md"), "utf8")).toBe(
      before.replace("Docker service 3 ", "Podman service 3 "),
    );
  });

  it("that saves nothing else, or fails, changes nothing", async () => {
    const before = await content();
    expect(await onTerminal(["memory", "edit", id], cwd, { env: editor("true") })).toContain(
      "Nothing was changed",
    );
    expect(await onTerminal(["memory", "edit", id], cwd, { env: editor("exit 3") })).toContain(
      "ended with 3",
    );
    expect(await onTerminal(["memory", "edit", id, "--tags", "x"], cwd, { env: editor("exit 3") })).toContain(
      "Memory updated",
    );
    expect(await content()).toBe(before);
  });

  it("is not started without a terminal, where it could wait for ever, and that is said", async () => {
    const { status, stderr } = await ralph(["memory", "edit", id], editor("touch started"));
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /^Error: Nothing to change: an editor is opened on a terminal only \(give new content/,
    );
    expect(existsSync(join(cwd, "started"))).toBe(false);
  });
});

describe("what a new user meets", () => {
  it("a note of one's own is shown without --global, and is headed as such in a brief", async () => {
    const { stdout } = await ralph([
      "memory",
      "add",
      "prefer podman over docker",
      "--global",
      "--format",
      "quiet",
    ]);
    const shown = await ralph(["memory", "show", stdout.trim()]);
    expect(shown.stdout).toContain("prefer podman over docker");
    expect(shown.stdout).toContain("Origin:  user");
    expect((await ralph(["memory", "show", "mem-nothing"])).stderr).toContain(
      "Memory not found: mem-nothing",
    );
    const brief = (await ralph(["recall", "podman or docker"])).stdout;
    const [, own = ""] = brief.split("Your own notes, for all projects");
    expect(own).toContain("prefer podman over docker");
  });

  it("task start says that it opens a completed task again", async () => {
    await ralph(["task", "init", "Fix it"]);
    expect((await ralph(["task", "start", "task-001"])).stderr).toBe("");
    await ralph(["task", "complete", "task-001", "--outcome", "success"]);
    expect((await ralph(["task", "start", "task-001"])).stderr).toContain(
      "task-001 was completed; it is open again",
    );
  });

  it("init suggests three next steps", async () => {
    expect((await ralph(["init"])).stderr.match(/^ {2}ralph /gm)).toHaveLength(3);
  });

  it("task show and list tell of tasks", async () => {
    await ralph([
      "task",
      "init",
      "Fix the login test",
      "--criteria",
      "npm test passes",
      "--tags",
      "auth,web",
    ]);
    await ralph(["task", "start", "task-001"]);
    await ralph(["task", "complete", "task-001", "--outcome", "failure", "--reason", "no browser"]);
    const { stdout } = await ralph(["task", "show", "task-001"]);
    expect(stdout).toContain("Fix the login test\n\nTask:        task-001\n");
    expect(stdout).toContain("auth, web");
    expect(stdout).toMatch(/Attempt 1 {2}failure .* no browser/);
    expect((await ralph(["task", "list", "--format", "quiet"])).stdout).toBe("task-001\n");
    expect((await ralph(["task", "list", "--status", "completed,paused"])).stderr).toBe("No tasks to show\n");
  });

  it.skipIf(process.getuid?.() !== 0)("a memory that may not be entered is told as what it is", async () => {
    chmodSync(cwd, 0o777);
    chmodSync(join(cwd, ".ralph"), 0o000);
    const asOther = (...args: string[]) =>
      runRalph(args, { cwd, uid: 65534, env: { RALPH_HOME: join(cwd, "other") } });
    for (const args of [["memory", "list"], ["history"], ["task", "init", "x"]]) {
      const { status, stderr } = await asOther(...args);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^Error: Permission denied: .*\.ralph.* \(check its owner and mode\)\n$/);
    }
    const { status, stdout } = await asOther("doctor");
    expect(status).toBe(1);
    expect(stdout).toMatch(/^✗ database +Permission denied: .*\.ralph/m);
  });
});

/** Without the breaks that the width of the screen makes. */
function inOneLine(shown: string): string {
  return shown.replace(/\s+/g, " ");
}
